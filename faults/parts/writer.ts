import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultPart } from '../fault-part.ts'
import { collectAnswers } from '../oracle/answers.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { lostMessages } from '../oracle/lost-messages.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, type Server, startServer } from '../program/start-server.ts'
import { startWriting } from '../stand-in/writing-process.ts'
import type { Trial } from '../trial.ts'

const WRITING_MS = 15_000
const BOUNDED_WRITING_MS = 4_000
const STEP_MS = 10
const ASK_MS = 200

export const writer: FaultPart = {
  name: 'writer',
  does: 'R31, R32: a stand-in of the CLI appends, rewrites, rewinds, migrates, resumes and deletes every 10 ms and is killed in the midst of writes, while a server watches',
  needs: [],
  run: async (trial) => {
    while (trial.hasTime()) await runOnce(trial, trial.random.integer(1, 1_000_000))
  },
}

async function runOnce(trial: Trial, seed: number): Promise<void> {
  const places = foldersIn(trial.newFolder())
  mkdirSync(places.home)
  const start = { program: trial.program, ...places }
  trial.at(`writing (seed of the stand-in ${seed})`)
  let server = await startServer(start)
  const writing = startWriting(places.home, { seed, tearShare: 0.03, pauseMs: STEP_MS, signal: trial.signal })
  await ask(trial, server, trial.isBounded ? BOUNDED_WRITING_MS : WRITING_MS)
  const { predicted, steps, deaths } = await writing.end()
  trial.addFaults(deaths)
  trial.addDifferences(predicted.differencesFrom(places.home))
  await expectUntouched(trial, places.home, async () => {
    trial.at(`after ${steps} steps of stand-in ${seed}`)
    const fresh = await freshAnswers(trial, places.home)
    trial.addLosses(lostMessages(fresh, predicted.recorded()))
    await expectAnswers(trial, server, fresh, { hasLookedOn: true })
    await expectHealthyEnd(trial, server)
    trial.at(`after ${steps} steps of stand-in ${seed} and a restart`)
    server = await startServer(start)
    await expectAnswers(trial, server, fresh)
    await expectHealthyEnd(trial, server)
  })
}

/** Sends requests like open pages: each must be answered. */
async function ask(trial: Trial, server: Server, forMs: number): Promise<void> {
  const untilMs = performance.now() + forMs
  while (performance.now() < untilMs) {
    await collectAnswers(server.get).catch((error) => {
      // A session deleted between two requests is correctly gone, and reported as such where this is not known yet.
      if (!/: 404 |: 503 .*is not there any more/.test(error.message)) trial.addDifferences([error.message])
    })
    await sleep(ASK_MS)
  }
}
