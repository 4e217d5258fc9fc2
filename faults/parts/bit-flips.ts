import { cpSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

const FLIPS = [1, 4] as const

export const bitFlips: FaultPart = {
  name: 'bit-flips',
  does: 'R38: single bits of the cache turn over while no program runs, and stamps of files stay as they were',
  needs: [],
  run: async (trial) => {
    const places = foldersIn(trial.newFolder())
    writeHome(places.home, trial.seed)
    const fresh = await freshAnswers(trial, places.home)
    await expectUntouched(trial, places.home, async () => {
      const first = await startServer({ program: trial.program, ...places })
      await expectAnswers(trial, first, fresh)
      await expectHealthyEnd(trial, first)
      while (trial.hasTime()) {
        const cache = join(trial.newFolder(), 'cache')
        cpSync(places.cache, cache, { recursive: true, preserveTimestamps: true })
        const flipped = flipBits(cache, trial)
        for (const start of ['first', 'second']) {
          trial.at(`${start} start after ${flipped.join(', ')}`)
          const server = await startServer({ program: trial.program, ...places, cache })
          await expectAnswers(trial, server, fresh)
          await expectHealthyEnd(trial, server)
        }
      }
    })
  },
}

/** One bit each in the files of the cache, small files as often as large ones. */
function flipBits(cache: string, trial: Trial): string[] {
  const files = readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Array.from({ length: trial.random.integer(...FLIPS) }, () => {
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
