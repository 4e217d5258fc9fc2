import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FaultPart } from '../fault-part.ts'
import { collectAnswers } from '../oracle/answers.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { runOnStillHome, type StillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

const SHIM = fileURLToPath(new URL('../shims/dying-threads.cjs', import.meta.url))
/** In the short form they die rarely enough that restarts do not get long delays. */
const LONGEST_MS = [50, 1_500] as const
const BOUNDED_LONGEST_MS = [800, 1_500] as const
const DYING_MS = 4_000

export const dyingThreads: FaultPart = {
  name: 'dying-threads',
  does: 'R45, R56: threads of the index and of the reader end at random moments, by exceptions and exits, while questions are asked',
  needs: [],
  run: async (trial) => {
    await runOnStillHome(trial, (still) => runOnce(trial, still))
  },
}

async function runOnce(trial: Trial, { home, fresh }: StillHome): Promise<void> {
  const folder = trial.newFolder()
  const { cache, data } = foldersIn(folder)
  const control = join(folder, 'control')
  const [least, most] = trial.isBounded ? BOUNDED_LONGEST_MS : LONGEST_MS
  const longestMs = trial.random.integer(least, most)
  const seed = trial.random.integer(1, 1_000_000)
  trial.at(`threads that live for ${longestMs} ms at most (${seed})`)
  writeFileSync(control, JSON.stringify({ longestMs, seed }))
  const env = { NODE_OPTIONS: `--require ${SHIM}`, FAULT_CONTROL: control }
  const server = await startServer({ program: trial.program, home, cache, data, env })
  const untilMs = performance.now() + (trial.isBounded ? DYING_MS / 2 : DYING_MS)
  while (performance.now() < untilMs && server.isRunning()) {
    // The request during which a thread died is refused by design; others are answered.
    await collectAnswers(server.get).catch(() => trial.addFaults())
    await sleep(50)
  }
  trial.addFaults()
  rmSync(control)
  await expectAnswers(trial, server, fresh)
  await expectHealthyEnd(trial, server)
}
