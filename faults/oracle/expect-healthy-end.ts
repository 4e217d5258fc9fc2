import type { Server } from '../program/start-server.ts'
import type { Trial } from '../trial.ts'

const END_MS = 10_000
/** A stack trace, or Node's message about an unhandled rejection. */
const CRASH = /^\s+at .+:\d+|unhandled|please report/im

/** Ends a server; it must exit by itself without reporting a crash. */
export async function expectHealthyEnd(trial: Trial, server: Server): Promise<void> {
  if (!server.isRunning()) {
    trial.addDifferences([`the server is gone: ${server.stderr().slice(-500)}`])
    return
  }
  let isKilled = false
  const killing = setTimeout(() => {
    isKilled = true
    void server.end('SIGKILL')
  }, END_MS)
  const { code, signal } = await server.end()
  clearTimeout(killing)
  if (isKilled) trial.addDifferences([`the server had not ended ${END_MS / 1000} s after SIGTERM`])
  else if (code !== 0) trial.addDifferences([`the server ended with ${code ?? signal}, not with 0`])
  expectQuiet(trial, server.stderr())
}

export function expectQuiet(trial: Trial, stderr: string): void {
  if (CRASH.test(stderr)) trial.addDifferences([`on stderr: ${stderr.slice(0, 500)}`])
}
