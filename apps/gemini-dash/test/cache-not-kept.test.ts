import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doctorSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-not-kept-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string[], cacheDirectory: string) {
  return runProgram([...command, '--home', fixtureHome('0.61.0'), '--cache-dir', cacheDirectory])
}

describe('B6: a cache folder that is a file', () => {
  it('is one warning on stderr and in doctor, and the same answer', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'no folder')
    const expected = await run(['search', 'rounding', '--json'], join(folder, 'cache'))
    for (const cacheDirectory of [file, join(file, 'cache')]) {
      const { code, stdout, stderr } = await run(['search', 'rounding', '--json'], cacheDirectory)
      expect([code, stdout]).toEqual([0, expected.stdout])
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).toContain(file)

      const report = doctorSchema.parse(JSON.parse((await run(['doctor', '--json'], cacheDirectory)).stdout))
      expect(report.warnings.map(({ code }) => code)).toEqual(['cache-not-kept'])
      expect((await run(['doctor'], cacheDirectory)).stdout).toContain('Warnings\n  Nothing can be kept')
    }
  })
})
