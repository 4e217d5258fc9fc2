import type { Message } from '../../model/message.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { isModelCall } from '../messages/is-model-call.ts'

const MAX_POINTS = 28

/** Tokens of each model call in order; of long sessions the highest of each of 28 equal stretches. */
export function sessionTrace(messages: readonly Message[]): SessionSummary['trace'] {
  const calls = messages.filter(isModelCall)
  const points = Math.min(calls.length, MAX_POINTS)
  return Array.from({ length: points }, (_, index) => {
    const from = Math.floor((index * calls.length) / points)
    const to = Math.floor(((index + 1) * calls.length) / points)
    const stretch = calls.slice(from, to)
    const failures = stretch.filter((message) => message.toolCalls.some((call) => call.failed)).length
    return {
      tokens: Math.max(...stretch.map((message) => message.usage?.total ?? 0)),
      failed: failures > 0,
      calls: stretch.length,
      failures,
    }
  })
}
