import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failedRuns, type Message, type Session, type StitchFile, stitchGroup } from '../src/index.ts'
import { type DiscoveredFile, GrowingSessionFile, readSessionGroup, reopenTexts } from '../src/node/index.ts'
import { arbitraryLargeSession } from './arbitrary-large-session.ts'
import { answer, at, prompt, SESSION_ID } from './make-file.ts'

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

  it.each(cases())('does so where %s', async (_, { name, text }) => {
    await expectSameMessages([write(name, text)])
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

/** Cases in which lifting reads more of a text than its start. */
function cases(): [string, { name: string; text: string }][] {
  const long = 'Words that nobody repeats elsewhere.\n'.repeat(80)
  const result = (name: string, response: unknown) => [{ functionResponse: { id: 'c1', name, response } }]
  const withCall = (call: Record<string, unknown>) => answer('a', 1, { toolCalls: [{ id: 'c1', ...call }] })
  const deep = JSON.parse(`${'['.repeat(300)}1${']'.repeat(300)}`)
  const picture = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo'.repeat(9_000) } }
  const look = { ...prompt('p', 1), content: [{ text: 'look' }, picture] }
  return [
    [
      'only the end of a result tells that a file was new',
      log([
        withCall({
          name: 'write_file',
          args: { file_path: 'a.ts', content: 'x' },
          result: result('write_file', { output: `${long} wrote to new file` }),
          status: 'success',
        }),
      ]),
    ],
    [
      'a flat text repeats the middle of a result',
      log([
        withCall({
          name: 'glob',
          args: {},
          result: result('glob', { output: `${long}the middle\n${long}` }),
          status: 'success',
        }),
        prompt('p', 2, '[Function Response: glob]the middle'),
      ]),
    ],
    [
      'a result is nested so deeply that it is kept as one text',
      log([withCall({ name: 'mcp', args: {}, result: result('mcp', { output: `"${long}"`, deep }) })]),
    ],
    [
      'a command was cancelled behind its exit code',
      log([
        withCall({
          name: 'run_shell_command',
          args: {},
          result: result('run_shell_command', { error: `${long}Exit Code: 3`, output: `${long}end` }),
        }),
      ]),
    ],
    [
      'a document holds a prompt twice with its picture',
      {
        name: 'session-2026-11-21T20-00-11111111.json',
        text: JSON.stringify({ sessionId: SESSION_ID, messages: [look, answer('a', 2), look] }),
      },
    ],
  ]
}

function log(rows: unknown[]): { name: string; text: string } {
  const head = { sessionId: SESSION_ID, projectHash: 'a'.repeat(64), startTime: at(0) }
  const text = [head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
  return { name: 'session-2026-11-21T20-00-11111111.jsonl', text }
}

/** @returns how many messages were restored to a larger size than held */
async function expectSameMessages(files: readonly DiscoveredFile[]): Promise<number> {
  const whole = await readSessionGroup(files)
  const { sessions, restore, restoreKept, idOfRecord } = await readPutAside(files)
  expect(sessions.map(withoutTexts)).toEqual(whole.map(withoutTexts))
  expect(sessions.map(fatesIn)).toEqual(whole.map(fatesIn))
  let restored = 0
  for (const [index, session] of sessions.entries()) {
    const expected = whole[index]?.messages ?? []
    expect(await restore(session.messages)).toEqual(expected)
    // A page in the middle, and one message alone.
    const start = Math.floor(session.messages.length / 3)
    expect(await restore(session.messages.slice(start, start + 2))).toEqual(expected.slice(start, start + 2))
    expect(await restoreKept(session.messages)).toEqual(expected)
    for (const message of expected) expect(await idOfRecord(message)).toContain(message.id)
    restored += session.messages.filter((message, at) => sizeOf(message) < sizeOf(expected[at])).length
  }
  return restored
}

/** The fates of failed calls do not depend on the texts. */
function fatesIn(session: Session) {
  return failedRuns(session).map(({ run, kind }) => [run.message.key, run.index, kind])
}

async function readPutAside(files: readonly DiscoveredFile[]) {
  const readers: GrowingSessionFile[] = []
  const read: StitchFile[] = []
  for (const file of files) {
    const reader = new GrowingSessionFile({ putsTextsAside: true })
    readers.push(reader)
    const parsed = await reader.read(file)
    if (parsed) read.push({ home: file.home, parsed })
  }
  const restore = async (messages: readonly Message[]) => {
    let restored: readonly Message[] | null = messages
    for (const reader of readers) restored = restored && (await reader.putAside.restore(restored))
    return restored
  }
  /** Like a later run that finds messages and places on disk. */
  const restoreKept = async (messages: readonly Message[]) => {
    let restored: readonly Message[] | null = asKept(messages)
    for (const reader of readers) {
      restored = restored && (await reopenTexts(asKept(reader.putAside.save())).restore(restored))
    }
    return restored
  }
  /** The ids in the file at the message's place. */
  const idOfRecord = async ({ source }: Message) => {
    const at = read.findIndex(({ parsed }) => parsed.path === source.file)
    const bytes = await readers[at]?.putAside.readRecord(source)
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      bytes instanceof Uint8Array ? bytes : undefined,
    )
    return [...text.matchAll(/"id":\s*"([^"]*)"/g)].map(([, id]) => id).concat('')
  }
  return { sessions: stitchGroup(read), restore, restoreKept, idOfRecord }
}

function asKept<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}

/** Everything in a session that does not depend on its messages' texts. */
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
  const { size, mtimeMs, mtimeNs, ctimeNs, ino } = statSync(absolutePath, { bigint: true })
  return {
    home: '/home/mia/.gemini',
    path,
    absolutePath,
    projectFolder: '',
    sizeBytes: Number(size),
    mtimeMs: Number(mtimeMs),
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
    inode: String(ino),
  }
}
