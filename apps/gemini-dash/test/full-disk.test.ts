import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { searchResultSchema } from '@gemini-dash/api'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'

const HOMES = fileURLToPath(new URL('../../../fixtures/homes/', import.meta.url))
const QUESTIONS = [['the'], ['error'], ['rounding', '--mode', 'substring'], ['replac\\w+', '--mode', 'regex']]

let folder: string
let homes: string[]

beforeAll(async () => {
  homes = (await readdir(HOMES)).map((name) => `--home=${join(HOMES, name)}`)
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-dash-full-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A search in a process that can write no file beyond so many kB: it meets EFBIG where a full disk says ENOSPC. */
async function search(question: string[], cache: string[], limitKb: number | null) {
  const program = [process.execPath, join(inject('program'), 'cli.js'), 'search', ...question, '--json']
  const limit = limitKb === null ? '' : `trap '' XFSZ; ulimit -f ${limitKb};`
  const child = spawn('bash', ['-c', `${limit} exec "$@"`, 'bash', ...program, ...homes, ...cache], {
    env: { PATH: process.env.PATH, CI: 'true', XDG_DATA_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stderr, result: searchResultSchema.parse(JSON.parse(stdout)) }
}

describe.skipIf(process.platform !== 'linux')('a cache disk that takes only so much', () => {
  it.each([10, 60, 200, 500, 1_200])(
    'A1: costs no hit, and one warning says so (files up to %d kB)',
    async (limitKb) => {
      const cache = [`--cache-dir=${join(folder, 'cache')}`]
      let warned = 0
      for (const question of QUESTIONS) {
        const { result: expected } = await search(question, ['--no-cache'], null)
        const { code, stderr, result } = await search(question, cache, limitKb)
        expect({ code, ...result }).toEqual({ code: 0, ...expected })
        expect(result.coverage.filesDone).toBe(result.coverage.filesTotal)
        expect(result.total).toBeGreaterThan(0)
        warned += stderr.split('\n').filter((line) => line.includes('cannot be kept')).length
      }
      expect(warned).toBe(limitKb < 1_000 ? QUESTIONS.length : 0)
    },
    120_000,
  )
})
