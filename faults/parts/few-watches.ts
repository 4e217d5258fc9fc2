import { appendFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { startWriting } from '../stand-in/writing-process.ts'

/** Without watches there are no events; with a few, the events trigger scans that find the rest. */
const WATCHES = [0, 0, 2, 6]
const WRITING_MS = 2_000
/** New folders are rescanned for ten seconds; later changes are found only by periodic scans. */
const SETTLED_MS = 12_000
const LATE = { id: 'late', timestamp: '2026-11-22T12:00:00.000Z', type: 'user', content: 'go on at last' }

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
      await sleep(trial.isBounded ? WRITING_MS : WRITING_MS + SETTLED_MS)
      await writing.end()
      if (!trial.isBounded) {
        await expectAnswers(trial, server, await freshAnswers(trial, places.home), { hasLookedOn: true })
        await sleep(SETTLED_MS)
        trial.at(`${watches} watches (stand-in ${seed}), and logs that grow when all is quiet`)
        growAll(places.home)
      }
      await expectAnswers(trial, server, await freshAnswers(trial, places.home), { hasLookedOn: true })
      await expectHealthyEnd(trial, server)
    }
  },
}

/** Changes no folder. */
function growAll(home: string): void {
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' }))
    if (/\bsession-.*\.jsonl$/.test(name)) appendFileSync(join(home, name), `${JSON.stringify(LATE)}\n`)
}
