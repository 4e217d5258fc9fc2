import type { ToolCall } from '../../model/tool-call.ts'
import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import type { LogEntry } from '../log-entry.ts'
import { flattenContent } from './flatten-content.ts'
import type { LiftContext } from './lift-context.ts'
import { toToolCall } from './to-tool-call.ts'

/** The recorded calls of a message and those that only stand as `functionCall` parts in its content (0.44+). */
export function toToolCalls(entry: LogEntry, at: string, context: LiftContext): ToolCall[] {
  const recorded = toRecorded(entry.toolCalls, at, context)
  const calls = [...recorded, ...toUnrecorded(entry, recorded)]
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

function toUnrecorded(entry: LogEntry, recorded: readonly RawObject[]): RawObject[] {
  if (typeof entry.content === 'string') return []
  const ids = new Set(recorded.map((call) => call.id))
  return flattenContent(entry.content).flatMap((part) => {
    if (!isRawObject(part) || !isRawObject(part.functionCall)) return []
    const { id, name, args } = part.functionCall
    const isRecorded = id === undefined ? recorded.some((call) => call.name === name) : ids.has(id)
    return isRecorded ? [] : [{ id, name, args, timestamp: entry.timestamp }]
  })
}
