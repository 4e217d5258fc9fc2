import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { appendFile, chmod, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IndexGroup } from '@gemini-dash/session-index'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { arbitraryLargeSession } from '../../../../../../packages/gemini-sessions/test/arbitrary-large-session.ts'
import { sourceAt } from '../../../../test/source-at.ts'
import { SessionShelf } from '../session-shelf.ts'
import { openSkeleton, toSkeleton } from './skeleton.ts'
import { SkeletonFiles } from './skeleton-files.ts'
import { SkeletonFolder } from './skeleton-folder.ts'

const HOMES = fileURLToPath(new URL('../../../../../../fixtures', import.meta.url))
const NAME = 'session-2026-11-21T20-28-4363c94e'
const METADATA = {
  sessionId: '4363c94e-b2c5-4034-b4ff-8148ed6493c9',
  projectHash: '0'.repeat(64),
  startTime: '2026-11-21T20:28:20.912Z',
}
const OUTPUT = 'a line of the output, with 料理 and Grüße\n'.repeat(200)
const row = (n: number) => ({
  id: `m${n}`,
  timestamp: '2026-11-21T20:28:21.000Z',
  type: 'gemini',
  content: `answer ${n}`,
  toolCalls: [
    {
      id: `call-${n}`,
      name: 'read_file',
      args: { file_path: `/app/${n}.ts` },
      result: [{ functionResponse: { id: `call-${n}`, response: { output: `${n} ${OUTPUT}` } } }],
      status: 'success',
    },
  ],
})
const line = (value: unknown) => `${JSON.stringify(value)}\n`
const log = (rows: number) => line(METADATA) + Array.from({ length: rows }, (_, n) => line(row(n))).join('')

let root: string
let directory: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gemini-dash-skeletons-'))
  directory = join(root, 'opened')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Written long ago, as far as the file system knows. */
function write(name: string, text: string | Buffer): string {
  const path = join(root, name)
  writeFileSync(path, text)
  utimesSync(path, 1_700_000_000, 1_700_000_000)
  return path
}

function sourceOf(paths: readonly string[], id?: string): IndexGroup {
  return sourceAt(root, paths, id)
}

async function keep(folder: SkeletonFolder, source: IndexGroup): Promise<void> {
  await folder.write(source, toSkeleton(await new SessionShelf().read(source)))
}

describe('the skeletons of large sessions on disk', () => {
  it('answer as the files do, for every fixture', async () => {
    const paths = readdirSync(HOMES, { recursive: true, encoding: 'utf8' })
      .filter((path) => /[/\\]chats[/\\].*\.jsonl?$/.test(path))
      .map((path) => join(HOMES, path))
    expect(paths.length).toBeGreaterThan(50)
    for (const path of paths) expect(await expectSameAnswers(sourceOf([path]))).toBe(true)
  }, 240_000)

  it('do so for any log or document, and for groups of two files', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLargeSession, async (files) => {
        const paths = files.map(({ name, text }, index) => write(`${index}-${name}`, text))
        expect(await expectSameAnswers(sourceOf(paths))).toBe(true)
      }),
      { numRuns: 40 },
    )
  }, 240_000)

  it('are for this user alone', async () => {
    const folder = new SkeletonFolder(directory, '1')
    const source = sourceOf([write(`${NAME}.jsonl`, log(2))])
    await keep(folder, source)
    const [name = ''] = await readdir(directory)
    expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    await chmod(directory, 0o755)
    expect(await folder.read(source)).toBeNull()
    await rename(directory, join(root, 'elsewhere'))
    await chmod(join(root, 'elsewhere'), 0o700)
    await symlink(join(root, 'elsewhere'), directory)
    expect(await folder.read(source)).toBeNull()
  })

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
    ['cut at the end of a line', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf(10) + 1)],
    ['empty', () => Buffer.alloc(0)],
    ['garbage', () => Buffer.from('\u0000\u0001 no JSON at all')],
    [
      'changed by one byte',
      (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('answer', 'Answer')),
    ],
  ])('are no answer where one is %s', async (_, damage) => {
    const folder = new SkeletonFolder(directory, '1')
    const source = sourceOf([write(`${NAME}.jsonl`, log(3))])
    await keep(folder, source)
    expect(await folder.read(source)).not.toBeNull()
    const [name = ''] = await readdir(directory)
    await writeFile(join(directory, name), damage(await readFile(join(directory, name))))
    expect(await folder.read(source)).toBeNull()
  })

  it('are no answer for another version of the program, a grown log or a rewritten document', async () => {
    const folder = new SkeletonFolder(directory, '1')
    const path = write(`${NAME}.jsonl`, log(3))
    const source = sourceOf([path])
    await keep(folder, source)
    expect(await folder.holds(source)).toBe(true)
    expect(await new SkeletonFolder(directory, '2').read(source)).toBeNull()
    expect(await new SkeletonFolder(directory, '2').holds(source)).toBe(false)
    await appendFile(path, line(row(3)))
    expect(await folder.read(sourceOf([path]))).toBeNull()
    const document = write(`${NAME}.json`, JSON.stringify({ ...METADATA, messages: [row(1)] }))
    await keep(folder, sourceOf([document], 'document'))
    expect(await folder.read(sourceOf([document], 'document'))).not.toBeNull()
    await writeFile(document, JSON.stringify({ ...METADATA, messages: [row(2)] }))
    expect(await folder.read(sourceOf([document], 'document'))).toBeNull()
  })

  it('are not written of a file that is still written to, or was since it was looked at', async () => {
    const folder = new SkeletonFolder(directory, '1')
    const path = write(`${NAME}.jsonl`, log(2))
    const source = sourceOf([path])
    await writeFile(path, log(3))
    await keep(folder, source)
    await keep(folder, sourceOf([path]))
    expect(await readdir(root)).toEqual([`${NAME}.jsonl`])
  })

  it('go with their session; those that were used longest ago go when there are too many', async () => {
    const sources = [1, 2, 3].map((n) => sourceOf([write(`${NAME}-${n}.jsonl`, log(2))], `group ${n}`))
    const folder = new SkeletonFolder(directory, '1')
    for (const source of sources) await keep(folder, source)
    const foreign = join(directory, 'somebody.else.skeleton')
    await writeFile(foreign, 'not ours')
    await new SkeletonFiles(directory).keepOnly(['group 1', 'group 2'])
    const held = async () => Promise.all(sources.map((source) => folder.holds(source)))
    expect(await held()).toEqual([true, true, false])
    const files = (await readdir(directory)).filter((name) => join(directory, name) !== foreign)
    for (const name of files) utimesSync(join(directory, name), 1_700_000_000, 1_700_000_000)
    const [first] = sources
    if (first) expect(await folder.read(first)).not.toBeNull()
    const sizeBytes = (await stat(join(directory, files[0] ?? ''))).size
    await new SkeletonFiles(directory, sizeBytes + 10).dropOldest()
    expect(await held()).toEqual([true, false, false])
    await new SkeletonFiles(directory, 0).dropOldest()
    expect(await readdir(directory)).toEqual(['somebody.else.skeleton'])
  })

  it('are whole for two processes that write one at once', async () => {
    const source = sourceOf([write(`${NAME}.jsonl`, log(20))])
    const folders = [new SkeletonFolder(directory, '1'), new SkeletonFolder(directory, '1')]
    await Promise.all(folders.map((folder) => keep(folder, source)))
    for (const folder of folders) expect(await folder.read(source)).not.toBeNull()
    expect(await readdir(directory)).toHaveLength(1)
  })

  it('are mended where a file says something else behind the same size and times', async () => {
    const folder = new SkeletonFolder(directory, '1')
    const text = log(1_200)
    const path = write(`${NAME}.jsonl`, text)
    const source = sourceOf([path])
    await new SessionShelf(folder).prepare(source)
    const shelf = new SessionShelf(folder)
    const messagesOf = async () => (await shelf.read(source)).sessions[0]?.messages ?? []
    // No string stands any more where the skeleton says that one does, but for the end of the log, which is looked at.
    const cut = text.lastIndexOf('"id":"m1199"')
    const moved = text.slice(0, cut).replaceAll('"output":"', '"outpu":"x') + text.slice(cut)
    write(`${NAME}.jsonl`, moved.replaceAll('"answer 5"', '"Answer 5"'))
    expect((await messagesOf())[5]?.content).toMatchObject([{ text: 'answer 5' }])
    await expect((await shelf.read(source)).restore(await messagesOf())).rejects.toThrow('rewritten')
    shelf.drop(source)
    expect((await messagesOf())[5]?.content).toMatchObject([{ text: 'Answer 5' }])
    expect(await folder.holds(source)).toBe(false)
  })

  it('are not made where nothing is to be kept', async () => {
    const source = sourceOf([write(`${NAME}.jsonl`, log(1_200))])
    await new SessionShelf().prepare(source)
    expect(await readdir(root)).toEqual([`${NAME}.jsonl`])
  })
})

/** Says also whether there was a skeleton. */
async function expectSameAnswers(source: IndexGroup): Promise<boolean> {
  const folder = new SkeletonFolder(directory, '1')
  const read = await new SessionShelf().read(source)
  // Fixtures may have been written a moment ago, by whoever checked them out.
  const old = source.files.map((file) => ({ ...file, mtimeMs: 0 }))
  await folder.write({ ...source, files: old }, toSkeleton(read))
  const skeleton = await folder.read(source)
  if (skeleton === null) return false
  const kept = openSkeleton(skeleton)
  expect(kept.sessions).toEqual(JSON.parse(JSON.stringify(read.sessions)))
  expect(kept.putAsideLength).toBe(read.putAsideLength)
  for (const [index, session] of kept.sessions.entries()) {
    const messages = read.sessions[index]?.messages ?? []
    expect(await kept.restore(session.messages)).toEqual(await read.restore(messages))
    for (const message of session.messages.slice(0, 1)) {
      expect(await kept.readRecord(message)).toEqual(await read.readRecord(message))
    }
  }
  return true
}
