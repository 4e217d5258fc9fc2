import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import type { Answers } from '../oracle/answers.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { findDifferences } from '../oracle/find-differences.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, type Server, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

const STARTS = 4
/** The outcome of a session, as stored in rows. */
const OTHER_WORD = [/\bFinished\b/g, 'Over now'] as const
/** As inserted by the build: its first digits select the databases. */
const FORMAT = /[`'"]([0-9a-f]{32})[`'"](?=[^`'"]{1,8}Number\.parseInt\()/

interface Version {
  name: string
  program: string
  fresh: Answers
}

export const twoVersions: FaultPart = {
  name: 'two-versions',
  does: 'R41: two builds whose caches have different formats take turns on one cache folder, and use it at once',
  needs: [],
  run: async (trial) => {
    const { home } = foldersIn(trial.newFolder())
    writeHome(home, trial.seed)
    const versions: Version[] = []
    for (const [name, program] of [
      ['usual', trial.program],
      ['other', otherVersion(trial)],
    ] as const)
      versions.push({ name, program, fresh: await freshAnswers(trial, home, { program }) })
    const [usual, other] = versions
    if (findDifferences(usual?.fresh, other?.fresh).length === 0)
      throw new Error('the two builds say the same, so nothing would tell whose cache is read')
    await expectUntouched(trial, home, async () => {
      while (trial.hasTime()) await runOnce(trial, home, versions)
    })
  },
}

async function runOnce(trial: Trial, home: string, versions: readonly Version[]): Promise<void> {
  const { cache } = foldersIn(trial.newFolder())
  let last: { server: Server; version: Version } | null = null
  for (let turn = 0; turn < STARTS; turn += 1) {
    const version = trial.random.pick(versions)
    const isAlone = trial.random.next() < 0.5
    trial.at(`turn ${turn}: the ${version.name} build, ${isAlone ? 'alone' : 'beside the last'}`)
    if (isAlone && last) {
      await expectHealthyEnd(trial, last.server)
      last = null
    }
    const { data } = foldersIn(trial.newFolder())
    const server = await startServer({ program: version.program, home, cache, data })
    trial.addFaults()
    await expectAnswers(trial, server, version.fresh)
    if (last) {
      await expectAnswers(trial, last.server, last.version.fresh)
      await expectHealthyEnd(trial, last.server)
    }
    last = { server, version }
  }
  if (last) await expectHealthyEnd(trial, last.server)
}

/** The same program with other words in every row; it must not use the cache of the original. */
function otherVersion(trial: Trial): string {
  const folder = join(trial.newFolder(), 'dist')
  cpSync(dirname(trial.program), folder, { recursive: true })
  let formats = 0
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    const format = FORMAT.exec(text)?.[1]
    if (format !== undefined) formats += 1
    const changed = format === undefined ? text : text.replaceAll(format, [...format].reverse().join(''))
    writeFileSync(join(folder, name), changed.replaceAll(...OTHER_WORD))
  }
  if (formats === 0) throw new Error('no file of the build holds the format of the cache')
  return join(folder, basename(trial.program))
}
