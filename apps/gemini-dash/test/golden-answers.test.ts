import { afterAll, beforeAll, describe, test } from 'vitest'
import { collectHomes, expectAsFrozen } from './golden/expect-as-frozen.ts'
import {
  compareAnswers,
  hashOfGolden,
  readChanges,
  readGolden,
  writeChanges,
  writeGolden,
} from './golden/golden-files.ts'
import { GOLDEN_HOMES } from './golden/golden-homes.ts'

/** Why the golden files should be rewritten; without a reason they are compared. */
const REASON = process.env.GOLDEN_REASON
const COLLECTING_MS = 600_000
const NAMES = Object.keys(GOLDEN_HOMES)

describe.skipIf(REASON !== undefined)('every answer is as it was frozen (fixtures/golden)', () => {
  // golden-tokens.test.ts has the others
  test.each(NAMES.filter((name) => name !== 'tokens'))('%s', expectAsFrozen, COLLECTING_MS)
})

describe.runIf(REASON !== undefined)('golden files are written anew', () => {
  const fields = new Set<string>()
  beforeAll(() => {
    if ((REASON ?? '').length < 20)
      throw new Error('GOLDEN_REASON is to say in a sentence what changed and why.')
  })
  afterAll(() => {
    const files = Object.fromEntries(NAMES.map((name) => [name, hashOfGolden(name)]))
    writeChanges([...readChanges(), { reason: REASON ?? '', fields: [...fields].sort(), files }])
  })

  test.each(NAMES)(
    '%s',
    async (name) => {
      const answers = await collectHomes(name)
      const golden = readGolden(name)
      if (Object.keys(golden).length > 0)
        for (const { field } of compareAnswers(answers, golden)) fields.add(field)
      writeGolden(name, answers)
    },
    COLLECTING_MS,
  )
})
