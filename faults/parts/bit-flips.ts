import { cpSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { runOnStillHome, type StillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

/** One that a single page may hide, and so many that hardly a page is spared. */
const FLIPS = [1, 4, 100]
const SHOWN = 4

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
    trial.at(`${start} start after ${flipped.slice(0, SHOWN).join(', ')}`)
    const server = await startServer({ program: trial.program, home, cache, data })
    await expectAnswers(trial, server, fresh)
    await expectHealthyEnd(trial, server)
  }
}

/** One bit each in the files of the cache, small files as often as large ones. */
function flipBits(cache: string, trial: Trial): string[] {
  const files = readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Array.from({ length: trial.random.pick(FLIPS) }, () => {
    const path = trial.random.pick(files)
    const bytes = readFileSync(path)
    const { atimeMs, mtimeMs } = statSync(path)
    const bit = trial.random.integer(0, bytes.length * 8 - 1)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    writeFileSync(path, bytes)
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
    trial.addFaults()
    return `bit ${bit} of ${path.slice(cache.length + 1)}`
  })
}
