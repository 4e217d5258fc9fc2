import type { CallTrace } from './call-trace.ts'
import type { Suspicion } from './suspicion.ts'

/** Two different answers are a coincidence (a test that prints its time), three are waiting. */
const MIN_POLLS = 3
/** A tool of others may do something each time (a key pressed, a page turned); only such a long answer twice was a look. */
const MIN_LOOK_TOKENS = 200

/**
 * The same call again with nothing in between that could change its result: no edit, no command, no tool that may do
 * more than look. A test run after each edit is no repeat. Where the results differ all the same, the model was polling.
 */
export function findRepeats(traces: readonly CallTrace[]): Suspicion[] {
  const groups = new Map<string, { clock: number; calls: CallTrace[] }>()
  const repeats: CallTrace[][] = []
  let clock = 0
  for (const trace of traces) {
    const group = groups.get(trace.question)
    const isSame = group !== undefined && group.clock === clock && canCompare(group.calls, trace)
    const calls = isSame ? group.calls : []
    calls.push(trace)
    if (calls.length === 2) repeats.push(calls)
    if (!trace.isLook) clock += 1
    groups.set(trace.question, { clock, calls })
  }
  return repeats.flatMap(toSuspicion)
}

/** Between two prompts a person may have changed anything, and may want a command again. */
function canCompare([first]: readonly CallTrace[], { epoch, turn, isLook, isDone }: CallTrace): boolean {
  if (first === undefined || !first.isDone || !isDone || first.epoch !== epoch) return false
  return isLook || first.turn === turn
}

function toSuspicion(calls: CallTrace[]): Suspicion[] {
  const [first] = calls
  if (first === undefined || first.changes.length > 0) return []
  const isSteady = new Set(calls.map(({ answer }) => answer)).size === 1
  if (!isSteady && (calls.length < MIN_POLLS || calls.some(({ turn }) => turn !== first.turn))) return []
  const isOfOthers = !first.isLook && !first.isShell
  if (isOfOthers && (!isSteady || first.tokens < MIN_LOOK_TOKENS)) return []
  return [
    {
      kind: isSteady ? 'repeated-call' : 'polled',
      calls: calls.map((trace, index) => ({ trace, isExtra: index > 0 })),
    },
  ]
}
