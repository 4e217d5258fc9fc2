import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { fillFromRewrite } from './fill-from-rewrite.ts'

/** Adds from a `$patch` update (after 0.61) what the message's own rows did not have: content, results of calls. */
export function fillFromPatch(entry: LogEntry, update: RawObject): void {
  // a patch holds no message that could be shown as the record of this one
  fillFromRewrite(entry, { content: update.content })
  const { toolCalls: updates } = update
  if (!Array.isArray(updates) || !Array.isArray(entry.toolCalls)) return
  entry.toolCalls = entry.toolCalls.map((call) => {
    const patch = updates.find((row) => isRawObject(row) && isRawObject(call) && row.id === call.id)
    const isMissing = isRawObject(call) && (call.result === undefined || call.result === null)
    return isMissing && isRawObject(patch) ? { ...call, result: patch.result } : call
  })
}
