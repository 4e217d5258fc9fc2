import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FaultPart } from '../fault-part.ts'
import { collectAnswers } from '../oracle/answers.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { startWriting } from '../stand-in/writing-process.ts'
import type { Trial } from '../trial.ts'

const shim = (name: string) => `--require ${fileURLToPath(new URL(`../shims/${name}.cjs`, import.meta.url))}`
const DAY_MS = 86_400_000
/** Daylight saving, a day, an empty battery, and a clock that runs ahead. */
const JUMPS_MS = [-3_600_000, -DAY_MS, -20_000 * DAY_MS, 10_000 * DAY_MS, 3_600_000, -1_000]
const JUMPS = 3
const PAUSE_MS = 500
/** Includes new sessions: they appear while only their names can be read. */
const EVERY_SESSION = '/chats/'
/** A deleted session, and one that reports why it currently cannot be shown. */
const FOR_A_WHILE = /: 404 |: 503 .* can’t be read/

export const movingClock: FaultPart = {
  name: 'moving-clock',
  does: 'R34: the clock of the server jumps back and forth, by an hour or by decades, while files are written and cannot be read for a while',
  needs: [],
  run: async (trial) => {
    while (trial.hasTime()) await runOnce(trial)
  },
}

async function runOnce(trial: Trial): Promise<void> {
  const folder = trial.newFolder()
  const places = foldersIn(folder)
  mkdirSync(places.home)
  const clock = join(folder, 'clock')
  const fault = join(folder, 'fault')
  const env = {
    NODE_OPTIONS: `${shim('moving-clock')} ${shim('failing-fs')}`,
    CLOCK_CONTROL: clock,
    FAULT_CONTROL: fault,
  }
  const jumps = Array.from({ length: JUMPS }, () => trial.random.pick(JUMPS_MS))
  const withheldFrom = trial.random.integer(0, JUMPS - 1)
  const seed = trial.random.integer(1, 1_000_000)
  trial.at(`a clock that jumps by ${jumps.join(', ')} ms (stand-in ${seed})`)
  const server = await startServer({ program: trial.program, ...places, env })
  const writing = startWriting(places.home, { seed, tearShare: 0, pauseMs: 20, signal: trial.signal })
  for (const [place, jump] of jumps.entries()) {
    // A scheduled retry must not depend on the wall clock.
    if (place === withheldFrom) {
      const part = trial.random.next() < 0.5 ? EVERY_SESSION : someLog(places.home)
      writeFileSync(fault, JSON.stringify({ code: 'EIO', part, calls: ['open'] }))
    }
    await sleep(PAUSE_MS)
    writeFileSync(clock, String(jump))
    trial.addFaults()
    await sleep(PAUSE_MS)
    await collectAnswers(server.get).catch((error) => {
      if (!FOR_A_WHILE.test(error.message)) trial.addDifferences([error.message])
    })
  }
  await writing.end()
  rmSync(fault)
  writeFileSync(clock, String(-20_000 * DAY_MS))
  await sleep(PAUSE_MS)
  const fresh = await freshAnswers(trial, places.home)
  trial.at(`a clock that went back to another century (stand-in ${seed})`)
  await expectAnswers(trial, server, fresh, { hasLookedOn: true, hasOtherDate: true })
  rmSync(clock)
  trial.at(`a clock that is right again (stand-in ${seed})`)
  await expectAnswers(trial, server, fresh, { hasLookedOn: true })
  await expectHealthyEnd(trial, server)
}

/** Usually a known session, so that only its new part has to be retried. */
function someLog(home: string): string {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  return names.find((name) => /\bsession-.*\.jsonl$/.test(name)) ?? 'nothing'
}
