import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { keepStatusSchema, openedAddedSchema, sessionListSchema } from '@gemini-dash/api'
import { Archive, readVersion } from '@gemini-dash/archive'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../fixtures/seeded-random.ts'
import { inLines, useQuietHome } from './quiet-home.ts'
import { startProgram } from './run-program.ts'

/** Set ADD_KILLS=50 for more kills in a manual run. */
const KILLS = Number(process.env.ADD_KILLS ?? 3)
const FILES = 8
/** About the time it takes to add all of them. */
const WINDOW_MS = 500
const CAN_MOUNT = spawnSync('unshare', ['-Urm', 'true']).status === 0

const place = useQuietHome()
const { write, run, json } = place

const random = seededRandom(41)
const nameOf = (id: string) => `session-2026-11-20T10-00-${id}.jsonl`
const ids = Array.from({ length: FILES }, (_, number) => `${number}0000000`)

/** About 600 KB that compress poorly. */
function session(id: string): string {
  const head = {
    sessionId: id,
    projectHash: 'f'.repeat(64),
    startTime: '2026-11-20T10:00:00.000Z',
    kind: 'main',
  }
  const rows = Array.from({ length: 600 }, (_, number) => ({
    id: `${id}-${number}`,
    timestamp: '2026-11-20T10:00:00.000Z',
    type: 'user',
    content: [{ text: Array.from({ length: 50 }, () => random.next()).join(' ') }],
  }))
  return inLines(head, ...rows)
}

/** A home with one session, and a folder of files received from a colleague. */
function begin(): { received: string; inHome: string[] } {
  write('tmp/shop/.project_root', join(place.root, 'shop'))
  write(`tmp/shop/chats/${nameOf('aaaaaaaa')}`, session('aaaaaaaa'))
  for (const id of ids) write(join('../received', nameOf(id)), session(id))
  return { received: join(place.root, 'received'), inHome: place.inHome() }
}

/** The archive in a data folder; null before it exists. */
function archiveIn(data: string): Archive | null {
  const parent = join(data, 'archive')
  const [name] = existsSync(parent) ? readdirSync(parent) : []
  return name === undefined ? null : new Archive(join(parent, name))
}

/** Names of the files that the archive lists; checks that each is complete, byte for byte, and listed once. */
async function expectWhole(data: string, received: string): Promise<string[]> {
  const archive = archiveIn(data)
  archive?.refresh()
  const added: string[] = []
  for (const { versions, label } of archive?.manifest.files() ?? []) {
    const from = label.addedFrom ?? null
    if (archive === null || from === null) continue
    expect(versions.length).toBe(1)
    for (const version of versions) {
      const pieces: Uint8Array[] = []
      for await (const piece of readVersion(archive, version)) pieces.push(piece)
      expect(Buffer.concat(pieces).equals(readFileSync(join(received, from)))).toBe(true)
    }
    added.push(from)
  }
  expect(new Set(added).size).toBe(added.length)
  return added.sort()
}

async function expectSound(): Promise<void> {
  const { damage, damaged, problem } = keepStatusSchema.parse(await json('keep', 'status'))
  expect([damage, damaged, problem]).toEqual([null, 0, null])
}

/** All are in the archive and in lists once the command has completed. */
async function expectAllAfterAnother(received: string, known: number): Promise<void> {
  const { code, stdout, stderr } = await run('keep', 'add', received, '--json')
  expect([code, stderr]).toEqual([0, ''])
  expect(openedAddedSchema.parse(JSON.parse(stdout))).toMatchObject({ added: FILES - known, known })
  expect(await expectWhole(join(place.root, 'data'), received)).toEqual(ids.map(nameOf))
  const { sessions } = sessionListSchema.parse(await json('list'))
  expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual([...ids, 'aaaaaaaa'])
  await expectSound()
}

test(
  'killed at any moment, what was added is whole, and the next command adds the rest',
  async () => {
    const { received, inHome } = begin()
    const data = join(place.root, 'data')
    let broken = 0
    for (let kill = 0; kill < KILLS; kill++) {
      expect((await run('keep', 'on')).code).toBe(0)
      const [archive] = readdirSync(join(data, 'archive'))
      const packs = join(data, 'archive', archive ?? '')
      const sizes = () => JSON.stringify(readdirSync(packs, { recursive: true }).sort())
      const before = sizes()
      const where = ['--home', place.home, '--data-dir', data, '--cache-dir', join(place.root, 'cache')]
      const { child, finished } = startProgram(['keep', 'add', received, ...where])
      while (sizes() === before && child.exitCode === null) await setTimeout(1)
      await setTimeout(random.next() * WINDOW_MS)
      child.kill('SIGKILL')
      await finished
      const added = await expectWhole(data, received)
      await expectSound()
      if (added.length > 0 && added.length < FILES) broken += 1
      await expectAllAfterAnother(received, added.length)
      expect(place.inHome()).toEqual(inHome)
      expect((await run('keep', 'off', '--erase', '--yes')).code).toBe(0)
    }
    if (process.env.ADD_KILLS !== undefined) console.log(`${broken} of ${KILLS} between two files`)
  },
  KILLS * 60_000,
)

// what is added is also extracted, so that its home can show it: 3.1 times the size of the packs
test.skipIf(!CAN_MOUNT).each([0.02, 0.3, 0.7, 0.95, 2, 5])(
  'on a disk with room for %d of it, what was added is whole, and the command says what failed (skipped where nothing can be mounted)',
  async (share) => {
    const { received, inHome } = begin()
    const data = join(place.root, 'data')
    expect((await run('keep', 'on')).code).toBe(0)
    const beside = spawnSync('du', ['-sk', data], { encoding: 'utf8' }).stdout
    // the approximate compressed size of the files
    const sizeKb = Math.ceil(Number.parseInt(beside, 10) * (1 + FILES * share)) + 16
    const script = [
      `mount -t tmpfs -o size=${sizeKb}k,mode=0700 tmpfs "$ROOT/disk"`,
      `cp -r "${data}/." "$ROOT/disk"`,
      '"$@"; code=$?',
      'cp -r "$ROOT/disk/." "$ROOT/after"; exit $code',
    ].join(' && ')
    for (const name of ['disk', 'after']) mkdirSync(join(place.root, name))
    const where = ['--home', place.home, '--cache-dir', join(place.root, 'cache')]
    const args = ['keep', 'add', received, ...where, '--data-dir', join(place.root, 'disk')]
    const { finished } = startProgram(args, { ROOT: place.root }, undefined, [
      ...['unshare', '-Urm', 'bash', '-c', script, 'bash'],
    ])
    const { code, stdout, stderr } = await finished
    const added = await expectWhole(join(place.root, 'after'), received)
    if (code === 0) {
      expect([stdout, stderr]).toEqual([expect.stringContaining(`${FILES} files were added`), ''])
      expect(added.length).toBe(FILES)
    } else {
      expect([code, stderr]).toEqual([1, expect.stringMatching(/(no room left|no space left).*[^.]\.$/im)])
      if (share < 0.9) expect(added.length).toBeLessThan(FILES)
    }
    expect(code).toBe(share < 5 ? 1 : 0)
    expect(place.inHome()).toEqual(inHome)
  },
)
