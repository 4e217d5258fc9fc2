import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sha256Hex } from '../src/derive/sha256.ts'
import { type ReadHome, readHome } from './read-home.ts'

const fixtures = fileURLToPath(new URL('../../../fixtures/homes', import.meta.url))
const PROJECT_HASH = sha256Hex('/tmp/demo/webshop')

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'twice-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** The rows without the locations of the files. */
function rows({ summaries }: ReadHome) {
  return summaries
    .map((row) => ({ ...row, files: [], copies: row.files.length }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

it.each(['0.38.2', '0.39.1', '0.61.0', '0.61.0-resumed'])(
  '%s: the project folder that 0.29 copied from its hash folder changes no row',
  async (version) => {
    const home = join(root, '.gemini')
    cpSync(join(fixtures, version, '.gemini'), home, { recursive: true })
    const before = await readHome(home)
    cpSync(join(home, 'tmp/webshop/chats'), join(home, 'tmp', PROJECT_HASH, 'chats'), { recursive: true })
    const after = await readHome(home)
    expect(after.projects).toHaveLength(1)
    expect(rows(after)).toEqual(rows(before).map((row) => ({ ...row, copies: row.copies * 2 })))
  },
)

it('an old home and a newer backup of it are one list, each session once', async () => {
  const old = join(fixtures, '0.61.0')
  const grown = join(fixtures, '0.61.0-resumed')
  const together = rows(await readHome(old, grown))
  const resumed = rows(await readHome(grown))[0]
  expect(together).toHaveLength(10)
  const row = together.find((candidate) => candidate.key === resumed?.key)
  expect(row).toEqual({ ...resumed, copies: 3 })
})

it('damaged files are rows with their reason beside the others', async () => {
  const home = join(root, '.gemini')
  cpSync(join(fixtures, '0.38.2/.gemini'), home, { recursive: true })
  const healthy = rows(await readHome(home))
  const chats = join(home, 'tmp/webshop/chats')
  writeFileSync(join(chats, 'session-2026-11-21T20-40-aaaaaaaa.jsonl'), '')
  writeFileSync(
    join(chats, 'session-2026-11-21T20-41-bbbbbbbb.json'),
    'version https://git-lfs.github.com/spec/v1\n',
  )
  writeFileSync(join(chats, 'session-2026-11-21T20-42-cccccccc.jsonl'), '{"type":"summary","leafUuid":"x"}\n')
  const { summaries } = await readHome(home)
  const damaged = summaries.filter((row) => row.files.some((file) => file.role === 'damaged'))
  expect(
    damaged.map((row) => [row.sessionId, row.startTime, row.counts?.messages, row.issues > 0]).sort(),
  ).toEqual([
    ['aaaaaaaa', '2026-11-21T20:40:00.000Z', 0, true],
    ['bbbbbbbb', '2026-11-21T20:41:00.000Z', 0, true],
    ['cccccccc', '2026-11-21T20:42:00.000Z', 0, true],
  ])
  expect(summaries).toHaveLength(healthy.length + 3)
})

it('keys do not depend on where the home lies or what its folder is called', async () => {
  const home = join(root, 'backup')
  cpSync(join(fixtures, '0.39.1/.gemini'), home, { recursive: true })
  const before = rows(await readHome(join(fixtures, '0.39.1')))
  renameSync(join(home, 'tmp/webshop'), join(home, 'tmp/webshop-7'))
  const after = rows(await readHome(home))
  expect(after.map((row) => [row.key, row.project.key])).toEqual(
    before.map((row) => [row.key, row.project.key]),
  )
})
