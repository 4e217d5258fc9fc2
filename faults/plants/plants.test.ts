import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parts } from '../parts.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8')
const plants: { part: string }[] = JSON.parse(read('faults/plants/plants.json'))

test('each part of the kit has a defect that it has to find', () => {
  expect([...new Set(plants.map(({ part }) => part))].sort()).toEqual(parts.map(({ name }) => name).sort())
})
