import { describe, expect, test } from 'vitest'
import { expectAsFrozen } from './golden/expect-as-frozen.ts'
import { hashOfGolden, readChanges } from './golden/golden-files.ts'
import { GOLDEN_HOMES } from './golden/golden-homes.ts'

// those of all other homes are in golden-answers.test.ts, which takes minutes
describe('every answer is as it was frozen (fixtures/golden)', () => {
  test('no golden file was changed without an entry in changes.json', () => {
    const last = readChanges().at(-1)
    expect(last?.files).toEqual(
      Object.fromEntries(Object.keys(GOLDEN_HOMES).map((name) => [name, hashOfGolden(name)])),
    )
    expect(last?.reason.length).toBeGreaterThan(20)
  })

  test('tokens', () => expectAsFrozen('tokens'))
})
