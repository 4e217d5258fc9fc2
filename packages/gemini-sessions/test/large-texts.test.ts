import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Message, type Session, type StitchFile, stitchGroup } from '../src/index.ts'
import { type DiscoveredFile, GrowingSessionFile, readSessionGroup } from '../src/node/index.ts'
import { arbitraryLargeSession } from './arbitrary-large-session.ts'

const HOMES = fileURLToPath(new URL('../../../fixtures', import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-sessions-large-texts-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a session whose large texts are put aside', () => {
  it('gives every message of every fixture as a whole reading does, one by one', async () => {
    const groups = fixtureGroups()
    expect(groups.length).toBeGreaterThan(50)
    for (const files of groups) await expectSameMessages(files)
  })

  it('does so for any log or document, and for groups of two files', async () => {
    let putAside = 0
    await fc.assert(
      fc.asyncProperty(arbitraryLargeSession, async (files) => {
        putAside += await expectSameMessages(files.map(({ name, text }) => write(name, text)))
      }),
      { numRuns: 150 },
    )
    expect(putAside).toBeGreaterThan(100)
  })
})

/** @returns how many messages came back larger than they were held */
async function expectSameMessages(files: readonly DiscoveredFile[]): Promise<number> {
  const whole = await readSessionGroup(files)
  const { sessions, restore, idOfRecord } = await readPutAside(files)
  expect(sessions.map(withoutTexts)).toEqual(whole.map(withoutTexts))
  let restored = 0
  for (const [index, session] of sessions.entries()) {
    const expected = whole[index]?.messages ?? []
    expect(await restore(session.messages)).toEqual(expected)
    // A page in the middle, and one message alone.
    const start = Math.floor(session.messages.length / 3)
    expect(await restore(session.messages.slice(start, start + 2))).toEqual(expected.slice(start, start + 2))
    for (const message of expected) expect(await idOfRecord(message)).toContain(message.id)
    restored += session.messages.filter((message, at) => sizeOf(message) < sizeOf(expected[at])).length
  }
  return restored
}

async function readPutAside(files: readonly DiscoveredFile[]) {
  const readers: GrowingSessionFile[] = []
  const read: StitchFile[] = []
  for (const file of files) {
    const reader = new GrowingSessionFile({ putsTextsAside: true })
    readers.push(reader)
    const parsed = await reader.read(file)
    if (parsed) read.push({ home: file.home, modifiedTime: new Date(file.mtimeMs).toISOString(), parsed })
  }
  const restore = async (messages: readonly Message[]) => {
    let restored: readonly Message[] | null = messages
    for (const reader of readers) restored = restored && (await reader.putAside.restore(restored))
    return restored
  }
  /** The ids in what the file holds at the message's place. */
  const idOfRecord = async ({ source }: Message) => {
    const at = read.findIndex(({ parsed }) => parsed.path === source.file)
    const bytes = await readers[at]?.putAside.readRecord(source)
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes ?? undefined)
    return [...text.matchAll(/"id":\s*"([^"]*)"/g)].map(([, id]) => id).concat('')
  }
  return { sessions: stitchGroup(read), restore, idOfRecord }
}

/** All of a session but what only its messages' texts tell. */
function withoutTexts({ messages, ...session }: Session): unknown {
  const outline = messages.map(({ content, toolCalls, ...message }) => ({
    ...message,
    parts: content.map(({ kind }) => kind),
    calls: toolCalls.map(({ output, display, extraParts, ...call }) => ({
      ...call,
      output: output.kind,
      display: display?.kind,
      extras: extraParts.map(({ kind }) => kind),
    })),
  }))
  return { ...session, outline }
}

function sizeOf(message: Message | undefined): number {
  return JSON.stringify(message).length
}

function fixtureGroups(): DiscoveredFile[][] {
  return readdirSync(HOMES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[/\\]chats[/\\].*\.jsonl?$/.test(path))
    .map((path) => [toFile(join(HOMES, path), path.replaceAll('\\', '/').replace(/^.*?\/tmp\//, 'tmp/'))])
}

function write(name: string, text: string): DiscoveredFile {
  const absolutePath = join(folder, name)
  writeFileSync(absolutePath, text)
  return toFile(absolutePath, `tmp/shop/chats/${name}`)
}

function toFile(absolutePath: string, path: string): DiscoveredFile {
  const { size, mtimeMs, mtimeNs, ino } = statSync(absolutePath, { bigint: true })
  return {
    home: '/home/mia/.gemini',
    path,
    absolutePath,
    projectFolder: '',
    sizeBytes: Number(size),
    mtimeMs: Number(mtimeMs),
    mtimeNs: String(mtimeNs),
    inode: String(ino),
  }
}
