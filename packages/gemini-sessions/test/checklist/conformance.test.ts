import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readHome } from '../read-home.ts'
import { expectedSchema } from './expected-schema.ts'
import { toExpected } from './to-expected.ts'

const FOLDER = fileURLToPath(new URL('../../../../fixtures/sessions', import.meta.url)).replaceAll('\\', '/')
const CASES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

describe('the conformance set', () => {
  it.each(CASES)('reads %s', async (name) => {
    const expected = expectedSchema.parse(readJson(`${name}/expected.json`))
    const home = `${FOLDER}/${name}/home`
    const found = await readHome(home)
    expect(toExpected(expected.about, home, found)).toEqual(expected)
    const keys = found.summaries.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('says its form in a JSON schema, for readers in other languages', () => {
    expect(readJson('schema.json')).toEqual(z.toJSONSchema(expectedSchema))
  })
})

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(`${FOLDER}/${path}`, 'utf8'))
}
