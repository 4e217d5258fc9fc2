import { type Cost, NO_COST } from '../model/cost.ts'
import type { Message } from '../model/message.ts'
import type { Turn } from '../model/turn.ts'
import { addCost } from './add-cost.ts'
import { earliestTime } from './earliest-time.ts'
import { lastMessageTime } from './last-message-time.ts'
import { promptLine } from './prompt-line.ts'
import { sumUsage } from './sum-usage.ts'

const MAX_PROMPT_LENGTH = 200

/** One turn of these priced messages. Turn 0 is what stands before the first prompt. */
export function toTurn(messages: readonly Message[], place: { number: number; firstOffset: number }): Turn {
  const [opening] = messages
  const toolCalls = messages.flatMap((message) => message.toolCalls)
  return {
    ...place,
    messageKey: opening?.key ?? '',
    messageCount: messages.length,
    prompt: opening && place.number > 0 ? promptLine(opening, MAX_PROMPT_LENGTH) : '',
    startTime: opening?.timestamp ?? earliestTime(messages.map((message) => message.timestamp)),
    endTime: lastMessageTime(messages),
    superseded: opening?.superseded ?? null,
    segment: opening?.segment ?? 0,
    usage: sumUsage(messages),
    cost: messages.map((message): Cost => message.cost ?? NO_COST).reduce(addCost, NO_COST),
    toolCalls: toolCalls.length,
    toolErrors: toolCalls.filter((call) => call.failed).length,
    thoughts: messages.reduce((sum, message) => sum + message.thoughts.length, 0),
  }
}
