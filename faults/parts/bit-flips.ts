import { cpSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { runOnStillHome, type StillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

/** One that a single page may hide, and so many that what is read of the file meets some of them. */
const BITS = [1, 10, 100]
/** What is kept beside the databases, so that mostly nobody asks these for rows. */
const ROWS = 'rows.jsonl'

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
  const flipped = flipBits(cache, trial)
  for (const start of ['first', 'second']) {
    trial.at(`${start} start after ${flipped}`)
    const server = await startServer({ program: trial.program, home, cache, data })
    await expectAnswers(trial, server, fresh)
    await expectHealthyEnd(trial, server)
  }
}

/** Bits of one file, each kind of file as often as any other. Says which. */
function flipBits(cache: string, trial: Trial): string {
  const files = readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const kind = trial.random.pick([...new Set(files.map((path) => extname(path)))])
  const path = trial.random.pick(files.filter((each) => extname(each) === kind))
  const { atimeMs, mtimeMs } = statSync(path)
  const bytes = readFileSync(path)
  const bits = Array.from({ length: trial.random.pick(BITS) }, () =>
    trial.random.integer(0, bytes.length * 8 - 1),
  )
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  writeFileSync(path, bytes)
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
  trial.addFaults(bits.length)
  const rows = files.find((each) => basename(each) === ROWS && each !== path)
  const isWithout = rows !== undefined && trial.random.next() < 0.5
  if (isWithout) rmSync(rows)
  const which = `${bits.length} bits of ${path.slice(cache.length + 1)}, bit ${bits[0]} first`
  return isWithout ? `${which}, and without ${ROWS}` : which
}
