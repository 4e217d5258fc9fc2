import type { CallTrace } from './call-trace.ts'
import type { Suspicion } from './suspicion.ts'

/** Reads of lines that an earlier call had read, while neither an edit of the file nor any command came between. */
export function findRereads(traces: readonly CallTrace[]): Suspicion[] {
  const held = new Map<string, Suspicion>()
  const found: Suspicion[] = []
  for (const trace of traces) {
    if (trace.isShell) held.clear()
    for (const path of trace.changes) held.delete(path)
    if (trace.reads.length !== 1 || trace.range === null || trace.failed) continue
    for (const path of trace.reads) {
      const earlier = held.get(path) ?? { kind: 'reread-file', calls: [] }
      const isExtra = earlier.calls.some((call) => covers(call.trace, trace))
      earlier.calls.push({ trace, isExtra })
      held.set(path, earlier)
      if (isExtra && !found.includes(earlier)) found.push(earlier)
    }
  }
  return found
}

function covers(earlier: CallTrace, later: CallTrace): boolean {
  if (earlier.range === null || later.range === null) return false
  return earlier.range.from <= later.range.from && earlier.range.to >= later.range.to
}
