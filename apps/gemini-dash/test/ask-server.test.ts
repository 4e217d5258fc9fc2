import {
  appendFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { type Finished, type RunningProgram, runProgram, startProgram } from './run-program.ts'

const DEMO_HOME = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const LIVE_FILE = '.gemini/tmp/webshop/chats/session-2026-11-21T20-30-27387739.jsonl'
const LIVE_ID = '27387739'
const WORKERS = ['index-worker.js', 'reader-worker.js']

let folder: string
let recorded: string
let where: string[]
/** The same homes with another cache, which no server uses. */
let elsewhere: string[]
let server: RunningProgram
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  recorded = join(folder, 'recorded')
  cpSync(DEMO_HOME, join(folder, 'demo'), { recursive: true })
  cpSync(fixtureHome('0.61.0'), recorded, { recursive: true })
  const homes = ['--home', join(folder, 'demo'), '--home', recorded]
  elsewhere = [...homes, '--cache-dir', join(folder, 'own'), '--data-dir', join(folder, 'own-data')]
  where = [...homes, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
})
beforeEach(async () => {
  if (server === undefined || server.child.exitCode !== null || server.child.signalCode !== null) {
    server = startProgram(['serve', '--json', '--port', '0', ...where], { TZ: 'UTC' })
    await server.firstLine
  }
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await server.finished
  rmSync(folder, { recursive: true, force: true })
})

let appended = 0
/** With an old date: a process that has not seen the file grow does not consider it live. */
function append(): void {
  appended += 1
  const record = {
    id: `appended-${appended}`,
    timestamp: '2026-11-21T21:00:00.000Z',
    type: 'user',
    content: [{ text: `One more prompt, ${'word '.repeat(appended)}` }],
  }
  appendFileSync(join(recorded, LIVE_FILE), `${JSON.stringify(record)}\n`)
}

/** The answer, without what is specific to one run: location and size of the cache. */
function comparable({ code, stdout, stderr }: Finished): {
  code: number | null
  stdout: string
  stderr: string
} {
  const text = stdout.replace(/"cache":\{[^}]*\}/, '"cache":{}').replace(/\nSearch index .*\n/, '\n')
  return { code, stdout: text, stderr }
}

describe('D10: a command asks a running server', () => {
  test.each<[string[], Record<string, string>?]>([
    [['list']],
    [['list', '--json', '--kind', 'all', '--sort', 'oldest']],
    [['list', '--limit', '3', '--project', 'webshop'], { TZ: 'Asia/Tokyo' }],
    [['show', LIVE_ID]],
    [['show', LIVE_ID, '--json']],
    [['show', 'nowhere']],
    [['search', 'error', '--sort', 'relevance', '--limit', '1000', '--json']],
    [['search', 'one', 'more', 'prompt']],
    [['search', '--mode', 'regex', 'f[a-z]+d', '--limit', '5']],
    [['search', 'zzyzx']],
    [['usage'], { TZ: 'America/Caracas' }],
    [['usage', '--by', 'session', '--json']],
    [['usage', '--by', 'tool', '--csv', '--tz', 'Asia/Tokyo']],
    [['doctor']],
    [['doctor', '--json']],
  ])('D10: %j answers byte for byte as without one, right after an append', async (command, env) => {
    append()
    const [asked, alone] = await Promise.all([
      runProgram([...command, ...where], env),
      runProgram([...command, ...elsewhere], env),
    ])
    expect(comparable(asked)).toEqual(comparable(alone))
    expect(readdirSync(join(folder, 'data', 'command-sessions'))).toEqual([])
  })

  test('D10: which reads and searches for it: its own threads are not needed', async () => {
    const program = join(folder, 'program')
    linkFiles(inject('program'), program)
    for (const worker of WORKERS) rmSync(join(program, worker))
    append()
    for (const command of [
      ['search', 'one more prompt'],
      ['show', LIVE_ID],
    ]) {
      const { code, stdout } = await runProgram([...command, ...where], {}, program)
      expect([command, code, stdout.includes('One more prompt, ')]).toEqual([command, 0, true])
      const alone = await runProgram([...command, ...where, '--no-cache'], {}, program)
      expect(alone.code).not.toBe(0)
    }
  })

  test('D10: but not one of another cache', async () => {
    const other = join(folder, 'other-cache')
    const { code } = await runProgram(['list', ...where.slice(0, 4), '--cache-dir', other, ...where.slice(6)])
    expect([code, existsSync(other)]).toEqual([0, true])
  })

  test.each([['list'], ['search', 'one', 'more']])(
    'D10: and answers by itself when the server hangs: %s',
    async (...command) => {
      const asked = await runProgram([...command, ...where])
      server.child.kill('SIGSTOP')
      const alone = await runProgram([...command, ...where])
      server.child.kill('SIGCONT')
      expect(comparable(alone)).toEqual(comparable(asked))
    },
  )

  test('D10: and when the server is killed midway', async () => {
    const asked = await runProgram(['list', ...where])
    server.child.kill('SIGSTOP')
    const alone = startProgram(['list', ...where])
    await expect.poll(() => readdirSync(join(folder, 'data', 'command-sessions')).length).toBe(1)
    server.child.kill('SIGKILL')
    expect(comparable(await alone.finished)).toEqual(comparable(asked))
  })
})

/** Links keep the modification times, which identify a build. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, linked] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFiles(old, linked)
    else linkSync(old, linked)
  }
}
