import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { NO_USAGE } from '../../model/token-usage.ts'
import type { CallPoint, Compression, Turn } from '../../model/turn.ts'
import { failedTurnSentence } from '../failure/failed-turn-sentence.ts'
import { findFailures } from '../failure/find-failures.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isModelCall, isPrompt } from '../messages/message-kinds.ts'
import { promptLine } from '../messages/message-text.ts'
import { earliestTime, lastMessageTime } from '../messages/message-times.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'
import { spentMessages } from '../messages/spent-messages.ts'
import { addCost } from '../sums/add-cost.ts'
import type { PriceCall } from '../sums/price-call.ts'
import { priceMessages } from '../sums/price-call.ts'
import { sumUsage } from '../sums/sum-usage.ts'
import { findCompressions } from './find-compressions.ts'

const MAX_PROMPT_LENGTH = 200

/** A session seen from above. */
export interface Outline {
  turns: Turn[]
  /** The model calls in drawn order: the bars of the token chart. Copies are no calls. */
  calls: CallPoint[]
  compressions: Compression[]
}

/**
 * The session by prompts, by model calls, and by compressions; offsets count in `session.messages`. Without `priceCall`
 * the costs are those that the messages have.
 */
export function buildOutline(session: Session, priceCall?: PriceCall): Outline {
  const messages = priceCall === undefined ? session.messages : priceMessages(session.messages, priceCall)
  const starts = turnStarts(messages)
  const hasPreamble = messages.length > 0 && starts[0] !== 0
  const firstOffsets = hasPreamble ? [0, ...starts] : starts
  const failures = turnFailures(session)
  const recorded = new RecordedCalls()
  const turns = firstOffsets.map((firstOffset, index) =>
    toTurn(
      messages.slice(firstOffset, firstOffsets[index + 1]),
      {
        firstOffset,
        number: hasPreamble ? index : index + 1,
        failure: failures.get(messages[firstOffset]?.key ?? '') ?? null,
      },
      recorded,
    ),
  )
  // what a saved chat or a damaged file repeats was spent elsewhere, or by nobody: its session counts nothing of it
  const isSpent = spentMessages(session).length > 0
  const told = isSpent ? turns : turns.map((turn) => ({ ...turn, usage: NO_USAGE, cost: NO_COST }))
  const counted = isDamagedSession(session)
    ? told.map((turn) => ({ ...turn, toolCalls: 0, toolErrors: 0, failedKey: null }))
    : told
  return {
    turns: counted,
    calls: isSpent ? callPoints(messages, turns) : [],
    compressions: findCompressions(session),
  }
}

function turnStarts(messages: readonly Message[]): number[] {
  const starts: number[] = []
  for (const [offset, message] of messages.entries()) if (isPrompt(message)) starts.push(offset)
  return starts
}

/** By the keys of the prompts. */
function turnFailures(session: Session): Map<string, Turn['failure']> {
  return new Map(
    findFailures(session).turns.map((turn) => [
      turn.prompt.key,
      { text: failedTurnSentence(turn), noticeKey: turn.refusal?.key ?? null },
    ]),
  )
}

function callPoints(messages: readonly Message[], turns: readonly Turn[]): CallPoint[] {
  const points: CallPoint[] = []
  for (const { firstOffset, messageCount, number } of turns) {
    for (let offset = firstOffset; offset < firstOffset + messageCount; offset += 1) {
      const message = messages[offset]
      if (message !== undefined && isModelCall(message)) points.push(toCallPoint(message, offset, number))
    }
  }
  return points
}

function toCallPoint(message: Message, offset: number, turn: number): CallPoint {
  const { key, timestamp, model, usage, cost, superseded, toolCalls } = message
  const failed = toolCalls.some((call) => call.failed)
  return { messageKey: key, offset, turn, timestamp, model, usage, cost, superseded, failed }
}

/** One turn of these priced messages. Turn 0 is what stands before the first prompt. `calls` goes from turn to turn. */
function toTurn(
  messages: readonly Message[],
  { number, firstOffset, failure }: Pick<Turn, 'number' | 'firstOffset' | 'failure'>,
  calls: RecordedCalls,
): Turn {
  const [opening] = messages
  const { cost, toolCalls, toolErrors, failedKey, thoughts } = sumUp(messages, calls)
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
    failedKey,
    thoughts,
    failure,
  }
}

function sumUp(
  messages: readonly Message[],
  calls: RecordedCalls,
): Pick<Turn, 'cost' | 'toolCalls' | 'toolErrors' | 'failedKey' | 'thoughts'> {
  let cost: Cost = NO_COST
  let toolCalls = 0
  let toolErrors = 0
  let failedKey: string | null = null
  let thoughts = 0
  for (const message of messages) {
    if (message.cost !== null) cost = addCost(cost, message.cost)
    if (message.copyOf === null) thoughts += message.thoughts.length
    for (const { failed } of calls.newIn(message)) {
      toolCalls += 1
      if (!failed) continue
      toolErrors += 1
      failedKey ??= message.key
    }
  }
  return { cost, toolCalls, toolErrors, failedKey, thoughts }
}
