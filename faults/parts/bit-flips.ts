import { cpSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import type { Answers } from '../oracle/answers.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { runOnStillHome, type StillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

/** One that may affect a single page, and enough to hit some of the data that is read. */
const BITS = [1, 10, 100]
const AIMED_AT = ['.db', undefined]
/** A letter that becomes its neighbor: nothing is malformed, so only a checksum detects it. */
const LETTER = /^[a-z]$/

export const bitFlips: FaultPart = {
  name: 'bit-flips',
  does: 'R38: single bits of the cache turn over while no program runs, and stamps of files stay as they were',
  needs: [],
  run: async (trial) => {
    await runOnStillHome(trial, (still) => runOnce(trial, still))
  },
}

async function runOnce(trial: Trial, { home, fresh, cache: whole }: StillHome): Promise<void> {
  const { cache, data } = foldersIn(trial.newFolder())
  cpSync(whole, cache, { recursive: true, preserveTimestamps: true })
  // Random bits rarely hit data used in answers, so every second run targets it.
  const aimedAt = AIMED_AT[(trial.seed + trial.findings.runs) % AIMED_AT.length]
  const flipped = aimedAt === undefined ? flipBits(cache, trial) : flipTitles(cache, aimedAt, fresh, trial)
  for (const start of ['first', 'second']) {
    trial.at(`${start} start after ${flipped}`)
    const server = await startServer({ program: trial.program, home, cache, data })
    await expectAnswers(trial, server, fresh)
    await expectHealthyEnd(trial, server)
  }
}

/** Flips bits of one file, each kind of file with equal probability. Returns a description. */
function flipBits(cache: string, trial: Trial): string {
  const files = filesOf(cache)
  const kind = trial.random.pick([...new Set(files.map((path) => extname(path)))])
  const path = trial.random.pick(files.filter((each) => extname(each) === kind))
  const length = statSync(path).size * 8
  const bits = Array.from({ length: trial.random.pick(BITS) }, () => trial.random.integer(0, length - 1))
  flip(path, bits)
  trial.addFaults(bits.length)
  return `${bits.length} bits of ${path.slice(cache.length + 1)}, bit ${bits[0]} first`
}

/** Flips a letter of every title, wherever files of this kind contain it. Returns a description. */
function flipTitles(cache: string, kind: string, fresh: Answers, trial: Trial): string {
  const titles = new Set(fresh.rows.map(({ title }) => title).filter((title) => LETTER.test(title[1] ?? '')))
  const files = filesOf(cache)
  for (const path of files.filter((each) => extname(each) === kind)) {
    const bytes = readFileSync(path)
    const places = [...titles].flatMap((title) => placesOf(bytes, Buffer.from(title)))
    flip(
      path,
      [...new Set(places)].map((place) => (place + 1) * 8),
    )
    trial.addFaults(places.length)
  }
  return `a letter of every title in files that end with ${kind}`
}

function placesOf(bytes: Buffer, wanted: Buffer): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) places.push(at)
  return places
}

/** Keeps the times of the file. */
function flip(path: string, bits: readonly number[]): void {
  const { atimeMs, mtimeMs } = statSync(path)
  const bytes = readFileSync(path)
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  writeFileSync(path, bytes)
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
}

/** Non-empty files. */
function filesOf(cache: string): string[] {
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
