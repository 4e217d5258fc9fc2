import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd, expectQuiet } from '../oracle/expect-healthy-end.ts'
import { expectUsable } from '../oracle/expect-usable.ts'
import { lostMessages } from '../oracle/lost-messages.ts'
import { foldersIn, type Server, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import { startWriting } from '../stand-in/writing-process.ts'
import type { Trial } from '../trial.ts'

const KILLS = 5
const LATEST_MS = 1_500

export const killedServer: FaultPart = {
  name: 'killed-server',
  does: 'R39: the server is killed (SIGKILL) at random moments of its start, its reading and its rest, every other time while files grow',
  needs: [],
  run: async (trial) => {
    for (let isGrowing = false; trial.hasTime(); isGrowing = !isGrowing) await runOnce(trial, isGrowing)
  },
}

async function runOnce(trial: Trial, isGrowing: boolean): Promise<void> {
  const places = foldersIn(trial.newFolder())
  const seed = trial.random.integer(1, 1_000_000)
  mkdirSync(places.home)
  if (!isGrowing) writeHome(places.home, seed)
  const start = { program: trial.program, ...places }
  const writing = isGrowing
    ? startWriting(places.home, { seed, tearShare: 0.005, pauseMs: 10, signal: trial.signal })
    : null
  const moments: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await startServer(start)
    // Every other one is killed around the time it has read everything and saves it.
    if (kill % 2 === 1) await server.whenReady()
    moments.push(Math.round(trial.random.next() ** 2 * LATEST_MS))
    await sleep(moments.at(-1))
    await server.end('SIGKILL')
    expectQuiet(trial, server.stderr())
    trial.addFaults()
  }
  const written = await writing?.end()
  const told = `${isGrowing ? 'growing' : 'still'} home ${seed}, killed ${moments.join(', ')} ms after starts`
  trial.at(told)
  const fresh = await freshAnswers(trial, places.home)
  if (written) trial.addLosses(lostMessages(fresh, written.predicted.recorded()))
  // The next start uses what was left, and the second one what the next start made of it.
  for (const which of trial.isBounded ? ['next'] : ['next', 'second']) {
    trial.at(`${told}: the ${which} start`)
    const server = await startServer(start)
    await expectAnswers(trial, server, fresh)
    await expectUsable(trial, server)
    expectOwned(trial, server, places.cache)
    await expectHealthyEnd(trial, server)
  }
}

/** A killed process holds no lock: the next one owns the cache. */
function expectOwned(trial: Trial, server: Server, cache: string): void {
  const [index = ''] = readdirSync(cache)
  const { pid } = JSON.parse(readFileSync(join(cache, index, 'owner.json'), 'utf8'))
  if (pid !== server.pid)
    trial.addDifferences([`the cache belongs to process ${pid}, which is not this server`])
}
