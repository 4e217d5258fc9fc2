import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fuzz } from './keep-find.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-corpus-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const inputs = fc.string({ minLength: 0, maxLength: 200 }).map((text) => Buffer.from(text))
const isShort = (input: Buffer): void => {
  expect(input.length).toBeLessThan(3)
}

test('R55: what was found is kept as small as it can be, and is tried first from then on', async () => {
  await expect(fuzz('queries', inputs, isShort, folder)).rejects.toThrow(
    /Fuzzing of queries found something \(seed -?\d+, after \d+ inputs; kept as fixtures\/fuzz\/queries\//,
  )
  const [name = ''] = readdirSync(join(folder, 'queries'))
  expect(readFileSync(join(folder, 'queries', name))).toHaveLength(3)

  const tried: Buffer[] = []
  const look = (input: Buffer) => {
    tried.push(input)
    isShort(input)
  }
  await expect(fuzz('queries', inputs, look, folder)).rejects.toThrow(`queries/${name} fails again`)
  expect(tried).toHaveLength(1)
})
