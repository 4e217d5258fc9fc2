import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { flattenContent } from '../lift/parts/flatten-content.ts'
import { isResultMasked } from '../row/is-result-masked.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { toCallRows } from '../row/to-call-rows.ts'

/**
 * Masking (0.29+) replaces long outputs of old calls by a short note, in the calls and in the `user` turns that
 * brought the results. Remembers, before a row replaces them, what the entry still holds in full.
 */
export function keepFullResults(entry: LogEntry, row: RawObject): void {
  const full = new Map<string, unknown>()
  if (toCallRows(row.toolCalls).some((call) => isResultMasked(call.result, call.id))) {
    for (const call of toCallRows(entry.toolCalls)) keep(full, call.id, call.result)
  }
  if (row.type === 'user' && typeof row.content !== 'string') {
    for (const part of flattenContent(row.content)) {
      const id =
        isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse.id : undefined
      if (id !== undefined && isResultMasked(row.content, id)) keep(full, id, entry.content)
    }
  }
  // Another map, so that who looks at the entry again sees that it has changed.
  if (full.size > 0) entry.fullResults = new Map([...(entry.fullResults ?? []), ...full])
}

function keep(full: Map<string, unknown>, callId: unknown, result: unknown): void {
  if (typeof callId === 'string' && !isResultMasked(result, callId)) full.set(callId, result)
}
