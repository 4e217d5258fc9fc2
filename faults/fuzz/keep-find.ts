import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'

/** Whatever was found once is tried first for ever after. */
const CORPUS = fileURLToPath(new URL('../../fixtures/fuzz', import.meta.url))
const DEFAULT_SECONDS = 7
const SECONDS = Number(process.env.FUZZ_SECONDS ?? DEFAULT_SECONDS)
const SEED = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) }

/** For vitest: what is not asked any more when the time is over may still be under way. */
export const FUZZ_TIMEOUT = { timeout: SECONDS * 1000 + 60_000 }

export type Kind = 'logs' | 'queries' | 'requests'

/**
 * Tries the corpus of a kind, and then random inputs as long as there is time. What fails is made as small as possible, put
 * into the corpus, and thrown.
 */
export async function fuzz(
  kind: Kind,
  inputs: fc.Arbitrary<Buffer>,
  holds: (input: Buffer) => Promise<void> | void,
): Promise<void> {
  for (const { name, bytes } of corpus(kind)) {
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
  const name = createHash('sha256').update(found).digest('hex').slice(0, 12)
  mkdirSync(join(CORPUS, kind), { recursive: true })
  writeFileSync(join(CORPUS, kind, name), found)
  throw new Error(
    `seed ${result.seed}, after ${result.numRuns} inputs; kept as fixtures/fuzz/${kind}/${name}: ${JSON.stringify(found.toString('latin1').slice(0, 500))}`,
    { cause: result.errorInstance },
  )
}

function corpus(kind: Kind): { name: string; bytes: Buffer }[] {
  return readdirSync(join(CORPUS, kind))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(CORPUS, kind, name)) }))
}
