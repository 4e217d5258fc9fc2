/** Requests under way that somebody at the page may stop. */
export class StoppableRuns {
  readonly #running = new Map<string, AbortController>()

  /** `signal` ends the run as well: nobody waits for it any more. */
  begin(name: string, signal: AbortSignal) {
    const controller = new AbortController()
    const onAbort = () => controller.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#running.set(name, controller)
    return {
      signal: controller.signal,
      isStopped: () => controller.signal.aborted && !signal.aborted,
      end: () => {
        signal.removeEventListener('abort', onAbort)
        if (this.#running.get(name) === controller) this.#running.delete(name)
      },
    }
  }

  stop(name: string): void {
    this.#running.get(name)?.abort()
  }
}
