import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'
import { programEnvironment } from './run-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-full-'))
  writeLargeHome({ sessions: 50, bytes: 10_000_000, seed: 3, out: folder })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Searches after running `before` in a shell. */
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

// Full disks: `full-disk` of the fault kit.
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

const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0

describe('R63: a data folder that a disk does not take', () => {
  it.runIf(canMount)('stops a move before its first file, and says so', () => {
    const root = mkdtempSync(join(folder, 'move-'))
    const [home, data, target] = ['.gemini', 'data', 'new'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), text)
      utimesSync(join(home, path), 1_790_000_000, 1_790_000_000)
    }
    for (const path of [data, target]) mkdirSync(path)
    write('tmp/new/.project_root', target)
    write('tmp/shop/.project_root', join(root, 'shop'))
    for (const number of Array.from({ length: 9 }, (_, index) => index + 1)) {
      const sessionId = `${number}0000000-1111-4111-8111-111111111111`
      const time = '2026-11-20T10:00:00.000Z'
      const head = { sessionId, projectHash: 'f', startTime: time, lastUpdated: time, kind: 'main' }
      const row = { id: 'one', timestamp: time, type: 'user', content: [{ text: 'hello' }] }
      const lines = [head, row].map((line) => `${JSON.stringify(line)}\n`)
      write(`tmp/shop/chats/session-2026-11-20T10-00-${number}0000000.jsonl`, lines.join(''))
    }
    // The journal has 4 kB, less than it needs.
    const script = `mount -t tmpfs -o size=1m tmpfs "${data}"
      run list > /dev/null
      free=$(df --output=avail -k "${data}" | tail -1)
      head -c $(( (free - 4) * 1024 )) /dev/zero > "${data}/rest"
      run move --project shop --to "${target}" --write`
    const places = ['--home', home, '--data-dir', data, '--cache-dir', join(root, 'cache')]
    const run = `run() { "${process.execPath}" "${join(inject('program'), 'cli.js')}" "$@" ${places.join(' ')}; }`
    const { status, stderr } = spawnSync('unshare', ['-Urm', 'bash', '-c', `${run}\n${script}`], {
      encoding: 'utf8',
      env: programEnvironment({ HOME: root }),
    })
    expect(stderr).toMatch(/Nothing was written, because the change can’t be logged in .*\.$/m)
    expect([status, existsSync(join(home, 'tmp/new/chats'))]).toEqual([1, false])
  })
})
