import type { ToolCall } from '../../../model/tool-call.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import type { LogEntry } from '../../row/log-entry.ts'
import type { LiftContext } from '../responses/lift-context.ts'
import { unrecordedCalls } from '../responses/unrecorded-calls.ts'
import { toToolCall } from './to-tool-call.ts'

/** The recorded calls of a message and those that only stand as `functionCall` parts in its content (0.44+). */
export function toToolCalls(entry: LogEntry, at: string, context: LiftContext): ToolCall[] {
  const recorded = toRecorded(entry.toolCalls, at, context)
  const calls = [...recorded, ...toUnrecorded(entry, context)]
  return calls.map((call) => toToolCall(call, entry.fullResults?.get(String(call.id)), at, context))
}

function toRecorded(toolCalls: unknown, at: string, { problems }: LiftContext): RawObject[] {
  if (toolCalls === undefined || toolCalls === null) return []
  const rows = Array.isArray(toolCalls) ? toolCalls.filter(isRawObject) : []
  if (!Array.isArray(toolCalls) || rows.length < toolCalls.length) {
    problems.addIssue('bad-field', `${at} toolCalls`)
  }
  return rows
}

/** In the form of recorded ones; an API turn has no ids that would lead to the result. */
function toUnrecorded(entry: LogEntry, { rest }: LiftContext): RawObject[] {
  return unrecordedCalls(entry).map((call) => {
    const { id, name, args } = call
    return { id, name, args, timestamp: entry.timestamp, result: rest.resultOfCall(call) }
  })
}
