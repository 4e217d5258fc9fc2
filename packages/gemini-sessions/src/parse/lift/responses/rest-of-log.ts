import { isRawObject } from '../../../raw/raw-object.ts'
import type { LogEntry } from '../../row/log-entry.ts'
import { joinResponses } from './join-responses.ts'

/** Own lines are short or quote the arguments; a sentence this long under different arguments is a manual. */
const SHORTEST_MANUAL = 60

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

/** Descriptions that stand on calls with different arguments: manuals of tools that we don't know (MCP, up to 0.34). */
function findRepeatedDescriptions(toolCallLists: Iterable<unknown>): ReadonlySet<string> {
  const firstArgs = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const toolCalls of toolCallLists) {
    if (!Array.isArray(toolCalls)) continue
    for (const call of toolCalls) {
      if (!isRawObject(call)) continue
      const { description, args } = call
      if (typeof description !== 'string' || description.length < SHORTEST_MANUAL) continue
      if (repeated.has(description)) continue
      if (!firstArgs.has(description)) firstArgs.set(description, args)
      else if (isOtherArgs(firstArgs.get(description), args)) repeated.add(description)
    }
  }
  return repeated
}

/** Compares one level: enough to tell calls apart, and cheap. */
function isOtherArgs(first: unknown, second: unknown): boolean {
  const a = Object.entries(first ?? {})
  const b = new Map(Object.entries(second ?? {}))
  return a.length !== b.size || a.some(([name, value]) => typeof value !== 'object' && b.get(name) !== value)
}
