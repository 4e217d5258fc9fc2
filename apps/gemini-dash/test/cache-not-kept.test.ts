import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Doctor, doctorSchema, type Health, type SearchResult } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { programEnvironment, runProgram, startProgram } from './run-program.ts'

const WAIT = { timeout: 60_000, interval: 200 }
const isRoot = process.getuid?.() === 0

let folder: string
let expected: SearchResult
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-not-kept-'))
  expected = JSON.parse((await run(['search', 'rounding', '--json'], join(folder, 'cache'))).stdout)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string[], cacheDirectory: string) {
  return runProgram([...command, '--home', fixtureHome('0.61.0'), '--cache-dir', cacheDirectory])
}

/** The same answer, one line on stderr and one warning in doctor, both containing these words. */
async function expectOneWarning(cacheDirectory: string, words: string) {
  const { code, stdout, stderr } = await run(['search', 'rounding', '--json'], cacheDirectory)
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, ...expected })
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(words)])
  const report = doctorSchema.parse(JSON.parse((await run(['doctor', '--json'], cacheDirectory)).stdout))
  expect(report.warnings).toEqual([
    expect.objectContaining({ code: 'cache-not-kept', message: expect.stringContaining(words) }),
  ])
}

describe('a cache folder that cannot be used is one warning on stderr and in doctor, and the same answer', () => {
  it('B6: where it is a file, or below one', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'no folder')
    for (const cacheDirectory of [file, join(file, 'cache')]) await expectOneWarning(cacheDirectory, file)
    expect((await run(['doctor'], file)).stdout).toMatch(/^Warning +Nothing can be saved/m)
  })

  it.skipIf(process.platform === 'win32')('B14: where everybody may write to it', async () => {
    const open = join(folder, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    await expectOneWarning(open, 'everybody may write to')
    expect(readdirSync(open)).toEqual([])
  })

  it.skipIf(!isRoot)('B14: where its last part is a link that another user made', async () => {
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(folder, 'link'))
    lchownSync(join(folder, 'link'), 12_345, 12_345)
    await expectOneWarning(join(folder, 'link'), 'is a link that another user made')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0
  it.skipIf(!canMount)('where its disk can only be read (skipped where no user may mount one)', () => {
    const disk = join(folder, 'read-only')
    mkdirSync(disk)
    const { status, stdout, stderr } = inNamespace(disk, [
      'search',
      'rounding',
      '--json',
      '--cache-dir',
      join(disk, 'cache'),
    ])
    expect({ status, ...JSON.parse(stdout) }).toEqual({ status: 0, ...expected })
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('is on a read-only disk')])
  })
})

describe('a cache folder that is lost while a server runs', () => {
  it.each<[string, (directory: string) => void]>([
    ['is removed', (directory) => rmSync(directory, { recursive: true, maxRetries: 5 })],
    [
      'has another owner',
      (directory) => {
        const [index = ''] = readdirSync(directory)
        const owner = { id: 'another', pid: process.pid, host: 'elsewhere' }
        writeFileSync(join(directory, index, 'owner.json'), JSON.stringify(owner))
      },
    ],
  ])('A1: that %s is told once, and no hit is lost', async (_, lose) => {
    const directory = mkdtempSync(join(folder, 'running-'))
    const own = [
      '--home',
      fixtureHome('0.61.0'),
      '--cache-dir',
      directory,
      '--data-dir',
      join(folder, 'data'),
    ]
    const program = startProgram(['serve', '--no-open', '--no-token', '--json', '--port', '0', ...own])
    try {
      const { port } = JSON.parse(await program.firstLine)
      const get = async <Answer>(path: string): Promise<Answer> =>
        (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Answer
      const isReady = async () => (await get<Health>('/api/health')).index.state === 'ready'
      await vi.waitUntil(isReady, WAIT)
      lose(directory)
      await vi.waitUntil(async () => (await get<Health>('/api/health')).warnings.length > 0, WAIT)
      await vi.waitUntil(isReady, WAIT)
      const { total, hits, coverage } = await get<SearchResult>('/api/search?q=rounding')
      expect([total, hits, coverage]).toEqual([expected.total, expected.hits, expected.coverage])
      const told = [expect.objectContaining({ code: 'cache-not-kept' })]
      expect((await get<Health>('/api/health')).warnings).toEqual(told)
      expect((await get<Doctor>('/api/doctor')).warnings).toEqual(told)
    } finally {
      program.child.kill()
    }
    const { stderr } = await program.finished
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Without a token/),
      expect.stringContaining(' is in memory until the next start'),
    ])
  })
})

/** On a read-only disk. */
function inNamespace(disk: string, args: string[]) {
  const program = [
    process.execPath,
    join(inject('program'), 'cli.js'),
    ...args,
    '--home',
    fixtureHome('0.61.0'),
  ]
  const script = `mount -t tmpfs -o ro tmpfs ${disk} && exec "$@"`
  return spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', ...program], {
    encoding: 'utf8',
    env: programEnvironment(),
  })
}
