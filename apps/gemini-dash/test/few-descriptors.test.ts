import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchResult } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'

let folder: string
let whole: SearchResult
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-descriptors-'))
  writeLargeHome({ sessions: 20, bytes: 1_000_000, seed: 3, out: folder })
  whole = JSON.parse(search(4_096).stdout)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** In a process that may have so many files open. */
function search(limit: number) {
  const program = [process.execPath, join(inject('program'), 'cli.js')]
  const args = ['search', 'the', '--json', `--home=${join(folder, 'home')}`, '--no-cache']
  return spawnSync('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', ...program, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CI: 'true', XDG_DATA_HOME: folder },
  })
}

describe.skipIf(process.platform === 'win32')('a process that may open few files', () => {
  it.each([30, 36, 38, 40])(
    'R35, A4: answers whole or says what to raise, and never takes files for damaged (%d)',
    (limit) => {
      const { status, stdout, stderr } = search(limit)
      if (status === 0) expect(JSON.parse(stdout)).toEqual(whole)
      else
        expect({ limit, status, stdout, stderr }).toMatchObject({
          stdout: '',
          stderr: expect.stringMatching(/ulimit -n/),
        })
      expect(stderr).not.toMatch(/^\s+at /m)
    },
    60_000,
  )
})
