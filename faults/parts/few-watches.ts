import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { startWriting } from '../stand-in/writing-process.ts'

/** Without any no event tells anything; with some the rest is met by looks that these events cause. */
const WATCHES = [0, 0, 2, 6]
const WRITING_MS = 2_000
const SETTLED_MS = 12_000

export const fewWatches: FaultPart = {
  name: 'few-watches',
  does: 'R35: the system gives no more watches of folders, or none at all, while files are written',
  needs: ['linux', 'user namespace'],
  run: async (trial) => {
    while (trial.hasTime()) {
      const places = foldersIn(trial.newFolder())
      mkdirSync(places.home)
      const watches = trial.random.pick(WATCHES)
      const seed = trial.random.integer(1, 1_000_000)
      trial.at(`${watches} watches (stand-in ${seed})`)
      trial.addFaults()
      const limit = `echo ${watches} > /proc/sys/user/max_inotify_watches`
      const before = `exec unshare -Ur bash -c '${limit} && exec "$@"' bash "$@"`
      const server = await startServer({ program: trial.program, ...places, before })
      const writing = startWriting(places.home, { seed, tearShare: 0, pauseMs: 10 })
      // What comes while folders are new is met by looks at them, what comes later by those at rest.
      await sleep(trial.isBounded ? WRITING_MS : WRITING_MS + SETTLED_MS)
      await writing.end()
      await expectAnswers(trial, server, await freshAnswers(trial, places.home), { hasLookedOn: true })
      await expectHealthyEnd(trial, server)
    }
  },
}
