import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findUnproven, printRequirements } from './print-requirements.ts'

describe('the requirements', () => {
  test('have each a test that names it, or a reason why none can tell', () => {
    expect(findUnproven()).toEqual([])
  })

  test('stand in docs/requirements.md as the tests name them (npx tsx scripts/requirements.ts)', () => {
    const page = readFileSync(new URL('../../docs/requirements.md', import.meta.url), 'utf8')
    expect(page.replaceAll('\r\n', '\n')).toBe(printRequirements())
  })

  test('one whose test is gone is named, and so is a number that means nothing', () => {
    const missing = findUnproven([{ numbers: [1, 999], file: 'a.test.ts', title: 'a' }])
    expect(missing).toContain('R999 is no requirement')
    expect(missing.some((sentence) => sentence.startsWith('R2 has no test'))).toBe(true)
    expect(missing.some((sentence) => sentence.startsWith('R1 has'))).toBe(false)
  })
})
