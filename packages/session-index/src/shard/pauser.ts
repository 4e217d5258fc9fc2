import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 20

/** Lets waiting messages in when the work since the last pause has taken 20 ms; otherwise goes on at once. */
export function pauser(): () => Promise<void> {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < SLICE_MS) return
    await setImmediate()
    startedMs = performance.now()
  }
}
