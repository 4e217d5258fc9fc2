import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Health, SearchResult, SessionList } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'
import { programEnvironment, startProgram } from './run-program.ts'

let folder: string
let whole: SearchResult
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-descriptors-'))
  writeLargeHome({ sessions: 20, bytes: 1_000_000, seed: 3, out: folder })
  whole = JSON.parse(search(4_096).stdout)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** In a process with this limit of open files. */
function search(limit: number) {
  const program = [process.execPath, join(inject('program'), 'cli.js')]
  const args = ['search', 'the', '--json', `--home=${join(folder, 'home')}`, '--no-cache']
  return spawnSync('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', ...program, ...args], {
    encoding: 'utf8',
    env: programEnvironment(),
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
  )

  it('A4: a server answers whole or says what is missing, and is whole when files can be opened again', async () => {
    const hog = join(folder, 'hog.cjs')
    const isFree = join(folder, 'free')
    const isListening = join(folder, 'listening')
    writeFileSync(hog, HOG)
    const held = { HELD: String(LIMIT - FREE_TO_START), THEN: String(FREE_TO_START - FREE) }
    const env = {
      NODE_OPTIONS: `--require ${hog}`,
      ...held,
      IS_FREE: isFree,
      IS_LISTENING: isListening,
    }
    const own = ['cache-dir', 'data-dir'].flatMap((name) => [`--${name}`, join(folder, name)])
    const serve = ['serve', '--no-open', '--no-token', '--json', '--port', '0', ...own]
    const limited = ['sh', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh']
    const program = startProgram([...serve, '--home', join(folder, 'home')], env, undefined, limited)
    try {
      const { port } = JSON.parse(await program.firstLine)
      writeFileSync(isListening, '')
      const get = async <Answer>(path: string): Promise<Answer | null> => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
        return response?.ok ? ((await response.json()) as Answer) : null
      }
      const list = () => get<SessionList>('/api/sessions?limit=1000')
      const find = () => get<SearchResult>('/api/search?q=the')
      const isReady = async () => (await get<Health>('/api/health'))?.index.state === 'ready'
      const isWhole = async () => {
        const [found, listed] = [await find(), await list()]
        const isAll = found?.messageTotal === whole.messageTotal && listed?.sessions.length === 20
        return isAll && found.unread === undefined && listed.unread === undefined
      }
      // with so few it may never be ready
      await vi.waitUntil(isReady, { timeout: 60_000, interval: 200 }).catch(() => {})
      const found = await find()
      if (found !== null && found.unread === undefined) expect(found.messageTotal).toBe(whole.messageTotal)
      writeFileSync(isFree, '')
      await vi.waitUntil(isWhole, { timeout: 60_000, interval: 200 })
      expect(program.printed()).not.toMatch(/^\s+at /m)
      expect(program.printed().split('cannot be read (').length).toBeLessThanOrEqual(2)
    } finally {
      program.child.kill()
      await program.finished
    }
  })
})

const LIMIT = 160
/** As many as a start needs: Node.js opens all files that a command loads at once. */
const FREE_TO_START = 60
/** Too few for everything it reads at once. */
const FREE = 40
/** Holds descriptors, more once the server listens, until it is told to release them. */
const HOG = `
const fs = require('node:fs')
if (require('node:worker_threads').isMainThread) {
  const hold = (count) => Array.from({ length: Number(count) }, () => fs.openSync('/dev/null', 'r'))
  const held = hold(process.env.HELD)
  let isListening = false
  setInterval(() => {
    if (!isListening && fs.existsSync(process.env.IS_LISTENING)) {
      isListening = true
      held.push(...hold(process.env.THEN))
    }
    if (fs.existsSync(process.env.IS_FREE)) for (const one of held.splice(0)) fs.closeSync(one)
  }, 100).unref()
}
`
