import type { CallTrace } from './call-trace.ts'
import type { Suspicion } from './suspicion.ts'

/** Fewer failures in a row are how work goes. */
export const MIN_FAILURES = 3

/** One tool, or one program in the shell, that failed again and again with no other call between the failures. */
export function findFailingTools(traces: readonly CallTrace[]): Suspicion[] {
  const found: Suspicion[] = []
  let run: CallTrace[] = []
  const close = () => {
    if (run.length >= MIN_FAILURES)
      found.push({ kind: 'failing-tool', calls: run.map((trace) => ({ trace, isExtra: true })) })
    run = []
  }
  for (const trace of traces) {
    const [first] = run
    if (!trace.failed || (first !== undefined && whatFailed(first) !== whatFailed(trace))) close()
    if (trace.failed) run.push(trace)
  }
  close()
  return found
}

/** Three commands that say no (`test`, `grep`, `which`) are a search, not three tries of one thing. */
function whatFailed({ tool, isShell, subject }: CallTrace): string {
  return isShell ? `${tool} ${subject.split(' ', 1)[0] ?? ''}` : tool
}
