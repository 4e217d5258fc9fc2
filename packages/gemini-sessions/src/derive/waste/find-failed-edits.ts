import type { CallTrace } from './call-trace.ts'
import type { Suspicion } from './suspicion.ts'

/** Edits of a file that failed, with the try that followed within the same turn. */
export function findFailedEdits(traces: readonly CallTrace[]): Suspicion[] {
  const open = new Map<string, CallTrace[]>()
  const found: Suspicion[] = []
  for (const trace of traces) {
    for (const path of trace.changes) {
      const failed = open.get(path) ?? []
      const isSameTurn = failed.every(({ turn }) => turn === trace.turn)
      if (trace.failed) open.set(path, isSameTurn ? [...failed, trace] : [trace])
      else {
        open.delete(path)
        if (isSameTurn && failed.length > 0) found.push(toSuspicion(failed, trace))
      }
    }
  }
  const unsolved = [...open.values()].filter((failed) => failed.length > 1)
  return [...found, ...unsolved.map((failed) => toSuspicion(failed, null))]
}

function toSuspicion(failed: readonly CallTrace[], success: CallTrace | null): Suspicion {
  const calls = failed.map((trace) => ({ trace, isExtra: true }))
  return {
    kind: 'failed-edit',
    calls: success === null ? calls : [...calls, { trace: success, isExtra: false }],
  }
}
