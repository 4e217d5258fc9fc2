import type { CallTrace } from './call-trace.ts'
import type { Suspicion } from './suspicion.ts'

/**
 * Reads of lines that an earlier call had read, while neither an edit of the file nor anything that may do more than
 * look came between, and the context still held what was read.
 */
export function findRereads(traces: readonly CallTrace[]): Suspicion[] {
  const held = new Map<string, Suspicion>()
  const found: Suspicion[] = []
  let epoch = 0
  for (const trace of traces) {
    if (trace.epoch !== epoch) held.clear()
    epoch = trace.epoch
    for (const path of trace.changes) held.delete(path)
    if (!trace.isLook && trace.changes.length === 0) held.clear()
    if (trace.reads.length !== 1 || trace.range === null || trace.failed || !trace.isDone) continue
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

/**
 * Of the same lines the results tell whether the file was the same; of others, only that nobody else had a turn. What the
 * CLI cut or masked in between is no longer held.
 */
function covers(earlier: CallTrace, later: CallTrace): boolean {
  if (earlier.range === null || later.range === null || earlier.savedTo.length > 0) return false
  const { from, to } = later.range
  if (earlier.range.from === from && earlier.range.to === to) return earlier.answer === later.answer
  return earlier.turn === later.turn && earlier.range.from <= from && earlier.range.to >= to
}
