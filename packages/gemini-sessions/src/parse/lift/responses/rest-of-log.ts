import type { LogEntry } from '../../row/log-entry.ts'
import { findRepeatedDescriptions } from './find-repeated-descriptions.ts'
import { joinResponses } from './join-responses.ts'

/** What the lift of one message asks of the rest of its file. */
export interface RestOfLog {
  /** Some call is recorded under this id. */
  isCallId(id: unknown): boolean
  /** The parts of a `user` turn that brought the result of the call with this id; unmasked ones first. */
  resultOf(callId: unknown): unknown
  /** The same by the stored call, where call and result share no id (API turns have none). */
  resultOfCall(call: unknown): unknown
  /** This part brings a result whose call is recorded nowhere. */
  isOrphan(part: unknown): boolean
  /** The description stands on calls with different arguments. */
  isRepeated(description: unknown): boolean
}

export function restOfLog(entries: readonly LogEntry[]): RestOfLog {
  const { callIds, byId, byCall, orphans } = joinResponses(entries)
  const repeated: ReadonlySet<unknown> = findRepeatedDescriptions(entries.map((entry) => entry.toolCalls))
  return {
    isCallId: (id) => callIds.has(id),
    resultOf: (callId) => byId.get(callId),
    resultOfCall: (call) => byCall.get(call),
    isOrphan: (part) => orphans.has(part),
    isRepeated: (description) => repeated.has(description),
  }
}
