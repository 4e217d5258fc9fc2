import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'

/** Every input that ever failed is tried first. */
const CORPUS = fileURLToPath(new URL('../../fixtures/fuzz', import.meta.url))
const DEFAULT_SECONDS = 7
const SECONDS = Number(process.env.FUZZ_SECONDS ?? DEFAULT_SECONDS)
/** Random at each run, unless a run has chosen a seed. */
const SEED = process.env.TEST_SEED === undefined ? {} : { seed: Number(process.env.TEST_SEED) }

/** For Vitest: the last request may still be running when the time is over. */
export const FUZZ_TIMEOUT = { timeout: SECONDS * 1000 + 120_000 }

export type Kind = 'logs' | 'queries' | 'requests'

/** Tries the corpus of a kind, then random inputs until the time is over. A failing input is minimized, added to the corpus, and thrown. */
export async function fuzz(
  kind: Kind,
  inputs: fc.Arbitrary<Buffer>,
  holds: (input: Buffer) => Promise<void> | void,
  folder = CORPUS,
): Promise<void> {
  for (const { name, bytes } of corpus(join(folder, kind))) {
    try {
      await holds(bytes)
    } catch (error) {
      throw new Error(`fixtures/fuzz/${kind}/${name} fails again`, { cause: error })
    }
  }
  const property = fc.asyncProperty(inputs, async (input) => holds(input))
  const result = await fc.check(property, {
    ...SEED,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: SECONDS * 1000,
    markInterruptAsFailure: false,
  })
  const [found] = result.counterexample ?? []
  if (found === undefined) return
  const place = process.env.MUTATION
    ? 'not kept: the program is changed on purpose'
    : keep(found, folder, kind)
  throw new Error(
    `Fuzzing of ${kind} found something (seed ${result.seed}, after ${result.numRuns} inputs; ${place}): ${JSON.stringify(found.toString('latin1').slice(0, 500))}`,
    { cause: result.errorInstance },
  )
}

function corpus(folder: string): { name: string; bytes: Buffer }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
}

function keep(found: Buffer, folder: string, kind: Kind): string {
  const name = createHash('sha256').update(found).digest('hex').slice(0, 12)
  mkdirSync(join(folder, kind), { recursive: true })
  writeFileSync(join(folder, kind, name), found)
  return `kept as fixtures/fuzz/${kind}/${name}`
}
