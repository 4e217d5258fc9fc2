import { setTimeout as sleep } from 'node:timers/promises'
import { type Health, questionPath } from '../../packages/api/src/index.ts'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import { startWriting } from '../stand-in/writing-process.ts'
import type { Trial } from '../trial.ts'

/** Long enough for another process to take over the cache. */
const STOPPED_MS = 60_000
const BOUNDED_STOPPED_MS = 3_000
const WRITING_MS = 1_500
/** The owner of the cache checks every five seconds whether it still is. */
const NOTICED_MS = 7_000

export const stoppedServer: FaultPart = {
  name: 'stopped-server',
  does: 'R41: a server is stopped (SIGSTOP) for a minute while files are written and another one starts on its cache, and goes on',
  needs: ['linux'],
  run: async (trial) => {
    while (trial.hasTime()) await runOnce(trial)
  },
}

async function runOnce(trial: Trial): Promise<void> {
  const places = foldersIn(trial.newFolder())
  const seed = trial.random.integer(1, 1_000_000)
  // Files that no longer change are known from the cache alone.
  writeHome(places.home, seed + 1)
  trial.at(`stopped (stand-in ${seed})`)
  const writing = startWriting(places.home, { seed, tearShare: 0.005, pauseMs: 10 })
  const stopped = await startServer({ program: trial.program, ...places })
  await sleep(WRITING_MS)
  process.kill(stopped.pid, 'SIGSTOP')
  trial.addFaults()
  await sleep(WRITING_MS)
  await writing.end()
  await sleep(trial.isBounded ? BOUNDED_STOPPED_MS : STOPPED_MS)
  const fresh = await freshAnswers(trial, places.home)
  const other = await startServer({
    ...places,
    program: trial.program,
    data: foldersIn(trial.newFolder()).data,
  })
  trial.at(`the other server beside a stopped one (stand-in ${seed})`)
  await expectAnswers(trial, other, fresh)
  process.kill(stopped.pid, 'SIGCONT')
  trial.at(`the server that goes on (stand-in ${seed})`)
  await expectAnswers(trial, stopped, fresh, { hasLookedOn: true })
  trial.at(`the other server after the stopped one went on (stand-in ${seed})`)
  await expectAnswers(trial, other, fresh)
  if (!trial.isBounded) {
    await sleep(NOTICED_MS)
    trial.at(`the server that goes on, without its cache (stand-in ${seed})`)
    const { warnings } = await stopped.get<Health>(questionPath('health'))
    if (!warnings.some(({ code }) => code === 'cache-not-kept'))
      trial.addDifferences(['it does not notice that its cache is another one’s by now'])
    await expectAnswers(trial, stopped, fresh, { hasLookedOn: true })
  }
  await expectHealthyEnd(trial, stopped)
  await expectHealthyEnd(trial, other)
  trial.at(`a start on what both left (stand-in ${seed})`)
  const next = await startServer({ program: trial.program, ...places })
  await expectAnswers(trial, next, fresh)
  await expectHealthyEnd(trial, next)
}
