const INTERRUPTED = 130
/** Who stops the program waits 500 ms at most, whatever is still being closed. */
const CLOSE_DEADLINE_MS = 400

/** Resolves with the first signal to stop. A second Ctrl+C ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = (signal: NodeJS.Signals) => {
      if (isStopping && signal === 'SIGINT') process.exit(INTERRUPTED)
      isStopping = true
      setTimeout(() => process.exit(0), CLOSE_DEADLINE_MS)
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
