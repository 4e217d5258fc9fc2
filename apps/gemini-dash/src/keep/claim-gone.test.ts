import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findHomes, type GeminiHome, scanHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { machineTime } from '../../../../fixtures/machine-time.ts'
import { ArchiveControl } from './archive-control.ts'
import { bringOutOf, claimGone } from './bring-out.ts'
import { GoneFiles } from './gone-files.ts'
import { archiveFolder, GoneFolder } from './gone-list.ts'

const LOG = 'tmp/shop/chats/session-2026-11-20T10-00-aaaaaaaa.jsonl'

let root: string
let data: string
let home: GeminiHome
let folder: GoneFolder
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'claim-gone-'))
  data = join(root, 'data')
  const path = join(root, '.gemini')
  mkdirSync(join(path, 'tmp/shop/chats'), { recursive: true })
  writeFileSync(join(path, LOG), `${JSON.stringify({ sessionId: 'aaaaaaaa', kind: 'main' })}\n`)
  const homes = findHomes({ homeArguments: [path], env: {}, userHome: '/nobody' })
  home = homes[0] as GeminiHome
  const desk = new ArchiveControl({ dataFolder: data, homes, tell: () => {} })
  desk.change({ enabled: true })
  await desk.run()
  rmSync(join(path, LOG))
  folder = new GoneFolder(archiveFolder(data, home.path))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Paths that a scan finds, and why it does not find all. */
async function look(bringOut: (home: GeminiHome) => Promise<unknown>) {
  const told: (string | null)[] = []
  const files = new GoneFiles({
    dataFolder: data,
    homes: [home],
    bringOut: async (each) => void (await bringOut(each)),
    onProblem: (reason) => told.push(reason),
  })
  const scan = await files.complete(await scanHomes([home]))
  return { found: scan.files.map(({ path }) => path), told }
}

function leaveOwner(text: string, seconds: number): void {
  mkdirSync(folder.path, { recursive: true })
  const path = join(folder.path, 'owner.json')
  writeFileSync(path, text)
  utimesSync(path, seconds, seconds)
}

test.each([
  ['empty', '', 0],
  ['torn, and of the future', '{"id":', 4_000_000_000],
  [
    'that of a living process, and of the future',
    JSON.stringify({ id: 'x', pid: process.ppid, host: hostname() }),
    4e9,
  ],
])('R64: what only the archive has is found beside an owner file that is %s', async (_, text, seconds) => {
  leaveOwner(text, seconds === 0 ? machineTime().getTime() / 1000 : seconds)
  expect(await look((each) => bringOutOf(data, each))).toEqual({ found: [LOG], told: [null] })
  expect(readdirSync(folder.path).sort()).toEqual(['checked.json', 'files', 'gone.json'])
})

test('R64: where another process has it and does not go on, that is said', async () => {
  const release = await claimGone(folder, { isLess: false })
  const { found, told } = await look(() => claimGone(folder, { isLess: false, longestMs: 60 }))
  release()
  const reason = `another gemini-dash (process ${process.pid}) has been writing to ${folder.path}`
  expect([found, told]).toEqual([[], [expect.stringContaining(reason)]])
  expect((await look((each) => bringOutOf(data, each))).told).toEqual([null])
})
