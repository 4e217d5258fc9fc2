import { isResultMasked } from './is-result-masked.ts'
import type { LogEntry } from './log-entry.ts'
import { toCallRows } from './to-call-rows.ts'

/** Masking (0.29+) replaces long outputs of old calls by a short note; the rows before still hold them. */
export function keepFullResults(entry: LogEntry, newCalls: unknown): void {
  if (!toCallRows(newCalls).some((call) => isResultMasked(call.result, call.id))) return
  for (const call of toCallRows(entry.toolCalls)) {
    if (typeof call.id !== 'string' || isResultMasked(call.result, call.id)) continue
    entry.fullResults ??= new Map()
    entry.fullResults.set(call.id, call.result)
  }
}
