import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectAnswers } from './golden/collect-answers.ts'
import {
  type AnswersByHome,
  compareAnswers,
  hashOfGolden,
  readChanges,
  readGolden,
  writeChanges,
  writeGolden,
} from './golden/golden-files.ts'
import { GOLDEN_HOMES } from './golden/golden-homes.ts'

/** Why the golden files are to be written anew; without it they are compared. */
const REASON = process.env.GOLDEN_REASON
const SHOWN = 20
const SHOWN_LENGTH = 200
const COLLECTING_MS = 600_000
const NAMES = Object.keys(GOLDEN_HOMES)

describe.skipIf(REASON !== undefined)('every answer is as it was frozen (fixtures/golden)', () => {
  test('no golden file was changed without an entry in changes.json', () => {
    const last = readChanges().at(-1)
    expect(last?.files).toEqual(Object.fromEntries(NAMES.map((name) => [name, hashOfGolden(name)])))
    expect(last?.reason.length).toBeGreaterThan(20)
  })

  test.each(NAMES)(
    '%s',
    async (name) => {
      const differences = compareAnswers(await collectHomes(name), readGolden(name))
      const lines = differences.slice(0, SHOWN).map(({ field, home, path, seen, golden }) => {
        return `${field}: ${show(seen)}, frozen was ${show(golden)} (${home} ${path})`
      })
      const fields = [...new Set(differences.map(({ field }) => field))].sort()
      expect({ lines, fields }).toEqual({ lines: [], fields: [] })
    },
    COLLECTING_MS,
  )
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

async function collectHomes(name: string): Promise<AnswersByHome> {
  const answers: AnswersByHome = {}
  for (const homes of GOLDEN_HOMES[name] ?? []) answers[homes[0] ?? ''] = await collectAnswers(homes)
  return answers
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_LENGTH)
}
