import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import type { Turn } from '../../model/turn.ts'
import { earliestTime } from '../messages/earliest-time.ts'
import { lastMessageTime } from '../messages/last-message-time.ts'
import { promptLine } from '../messages/prompt-line.ts'
import type { RecordedCalls } from '../messages/recorded-calls.ts'
import { addCost } from '../sums/add-cost.ts'
import { sumUsage } from '../sums/sum-usage.ts'

const MAX_PROMPT_LENGTH = 200

/** One turn of these priced messages. Turn 0 is what stands before the first prompt. `calls` goes from turn to turn. */
export function toTurn(
  messages: readonly Message[],
  { number, firstOffset, failure }: Pick<Turn, 'number' | 'firstOffset' | 'failure'>,
  calls: RecordedCalls,
): Turn {
  const [opening] = messages
  const { cost, toolCalls, toolErrors, thoughts } = sumUp(messages, calls)
  // Each field by its name: a session can have 5,000 turns, and copying the fields of others takes most of the time.
  return {
    number,
    messageKey: opening?.key ?? '',
    firstOffset,
    messageCount: messages.length,
    prompt: opening && number > 0 ? promptLine(opening, MAX_PROMPT_LENGTH) : '',
    startTime: opening?.timestamp ?? earliestTime(messages.map((message) => message.timestamp)),
    endTime: lastMessageTime(messages),
    superseded: opening?.superseded ?? null,
    segment: opening?.segment ?? 0,
    usage: sumUsage(messages),
    cost,
    toolCalls,
    toolErrors,
    thoughts,
    failure,
  }
}

function sumUp(
  messages: readonly Message[],
  calls: RecordedCalls,
): Pick<Turn, 'cost' | 'toolCalls' | 'toolErrors' | 'thoughts'> {
  let cost: Cost = NO_COST
  let toolCalls = 0
  let toolErrors = 0
  let thoughts = 0
  for (const message of messages) {
    if (message.cost !== null) cost = addCost(cost, message.cost)
    if (message.copyOf === null) thoughts += message.thoughts.length
    for (const { failed } of calls.newIn(message)) {
      toolCalls += 1
      if (failed) toolErrors += 1
    }
  }
  return { cost, toolCalls, toolErrors, thoughts }
}
