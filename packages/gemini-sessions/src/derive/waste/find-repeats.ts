import type { CallTrace } from './call-trace.ts'
import type { Suspicion } from './suspicion.ts'

/**
 * The same call again with nothing in between that could change its result: no edit, and no other command. A test run after
 * each edit is no repeat. Where the results differ all the same, the model was polling.
 */
export function findRepeats(traces: readonly CallTrace[]): Suspicion[] {
  const groups = new Map<string, { clock: number; calls: CallTrace[] }>()
  const repeats: CallTrace[][] = []
  let clock = 0
  for (const trace of traces) {
    const group = groups.get(trace.question)
    const isSame = group !== undefined && group.clock === clock
    const calls = isSame ? group.calls : []
    calls.push(trace)
    if (calls.length === 2) repeats.push(calls)
    if (trace.isShell || trace.changes.length > 0) clock += 1
    groups.set(trace.question, { clock, calls })
  }
  return repeats.filter(([first]) => first !== undefined && first.changes.length === 0).map(toSuspicion)
}

function toSuspicion(calls: CallTrace[]): Suspicion {
  const isSteady = new Set(calls.map(({ answer }) => answer)).size === 1
  return {
    kind: isSteady ? 'repeated-call' : 'polled',
    calls: calls.map((trace, index) => ({ trace, isExtra: index > 0 })),
  }
}
