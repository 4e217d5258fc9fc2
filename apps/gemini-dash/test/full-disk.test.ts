import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'
import { programEnvironment } from './run-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-full-'))
  writeLargeHome({ sessions: 50, bytes: 10_000_000, seed: 3, out: folder })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Searches where `before` was done first, by a shell. */
function search(own: string[], before = '') {
  const places = [`--home=${join(folder, 'home')}`, `--data-dir=${join(folder, 'data')}`, ...own]
  const program = [process.execPath, join(inject('program'), 'cli.js'), 'search', 'the', '--json', ...places]
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${before}\nexec "$@"`, 'bash', ...program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: programEnvironment(),
  })
  return { status, answer: JSON.parse(stdout), warnings: stderr.split('\n').filter((line) => line !== '') }
}

// Disks that are full: `full-disk` of the fault kit.
describe('A1, R40: a cache that a disk does not take', () => {
  it.each([10, 900])('is no fewer hits, and one warning, where no file may grow beyond %d kB', (limitKb) => {
    const whole = search(['--no-cache'])
    expect(whole.answer.total).toBeGreaterThan(100)
    const cache = `--cache-dir=${join(folder, `cache-${limitKb}`)}`
    expect(search([cache], `trap '' XFSZ; ulimit -f ${limitKb}`)).toEqual({
      ...whole,
      warnings: [expect.stringContaining('cannot be kept on disk')],
    })
  })
})
