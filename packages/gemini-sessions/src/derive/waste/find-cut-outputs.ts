import type { CallTrace } from './call-trace.ts'
import type { Suspicion } from './suspicion.ts'

/** A result that the CLI cut or masked and saved to a file, and the calls that read that file. */
export function findCutOutputs(traces: readonly CallTrace[]): Suspicion[] {
  const cut: CallTrace[] = []
  const found = new Map<CallTrace, Suspicion>()
  for (const trace of traces) {
    const source = cut.find(({ savedTo }) => savedTo.some((path) => asksFor(trace, path)))
    if (source !== undefined) {
      const suspicion = found.get(source) ?? {
        kind: 'cut-output',
        calls: [{ trace: source, isExtra: false }],
      }
      suspicion.calls.push({ trace, isExtra: true })
      found.set(source, suspicion)
    }
    if (trace.savedTo.length > 0) cut.push(trace)
  }
  return [...found.values()]
}

/** By a tool that reads files, or by a command that names it. */
function asksFor(trace: CallTrace, path: string): boolean {
  const name = path.split('/').at(-1) ?? path
  return (
    trace.reads.some((read) => read.split(/[\\/]/).at(-1) === name) ||
    (trace.isShell && trace.subject.includes(name))
  )
}
