import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import type { Answers } from '../oracle/answers.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, type Server, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

const STARTS = 4
/** What `defineCacheFormat` puts into a build: the formats of the index and of other files. */
const FORMAT = /index:\s*[`'"]([0-9a-f]{32})[`'"],\s*files:\s*[`'"]([0-9a-f]{32})[`'"]/

export const twoVersions: FaultPart = {
  name: 'two-versions',
  does: 'R41: two builds whose caches have different formats take turns on one cache folder, and use it at once',
  needs: [],
  run: async (trial) => {
    const other = otherVersion(trial)
    const { home } = foldersIn(trial.newFolder())
    writeHome(home, trial.seed)
    const fresh = await freshAnswers(trial, home)
    await expectUntouched(trial, home, async () => {
      while (trial.hasTime()) await runOnce(trial, home, other, fresh)
    })
  },
}

async function runOnce(trial: Trial, home: string, other: string, fresh: Answers): Promise<void> {
  const { cache } = foldersIn(trial.newFolder())
  let running: Server | null = null
  for (let turn = 0; turn < STARTS; turn += 1) {
    const program = trial.random.pick([trial.program, other])
    const isAlone = trial.random.next() < 0.5
    trial.at(
      `turn ${turn}: the ${program === other ? 'other' : 'usual'} build, ${isAlone ? 'alone' : 'beside the last'}`,
    )
    if (isAlone && running) {
      await expectHealthyEnd(trial, running)
      running = null
    }
    const server = await startServer({ program, home, cache, data: foldersIn(trial.newFolder()).data })
    trial.addFaults()
    await expectAnswers(trial, server, fresh)
    if (running) {
      await expectAnswers(trial, running, fresh)
      await expectHealthyEnd(trial, running)
    }
    running = server
  }
  if (running) await expectHealthyEnd(trial, running)
}

/** The same program, which takes nothing for its own that the usual one keeps. */
function otherVersion(trial: Trial): string {
  const folder = join(trial.newFolder(), 'dist')
  cpSync(dirname(trial.program), folder, { recursive: true })
  let changed = 0
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    const formats = FORMAT.exec(text)?.slice(1) ?? []
    if (formats.length === 0) continue
    changed += 1
    writeFileSync(
      join(folder, name),
      formats.reduce((all, format) => all.replaceAll(format, [...format].reverse().join('')), text),
    )
  }
  if (changed === 0) throw new Error('no file of the build holds the formats of the cache')
  return join(folder, basename(trial.program))
}
