import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { WITHOUT_LOADER } from '../../../fixtures/installed-tools.ts'
import { type ParsedFile, parseSessionFile } from '../src/index.ts'
import { arbitraryLog } from './arbitrary-log.ts'
import { loadMessagesWithCli } from './cli-oracle.ts'
import { readFixtureFiles } from './session-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'gemini-sessions-oracle-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What the random logs have to cover for the comparison to be meaningful. */
const CASES = [
  'append',
  're-append',
  '$set.lastUpdated',
  '$set.sessionId',
  '$set.projectHash',
  '$set.startTime',
  '$set.summary',
  '$set.kind',
  '$set.directories',
  '$set.memoryScratchpad',
  '$set.activeExtensionName',
  '$set.messages',
  '$set.__proto__',
  '$set.nothing',
  '$set.messages subset',
  '$set.messages reorder',
  '$set.messages copies',
  '$set.messages responses',
  '$set.messages any',
  '$set.messages empty',
  '$rewindTo known',
  '$rewindTo unknown',
  'metadata again',
  'metadata with messages',
  'metadata first',
  'no metadata first',
  'rewind or message',
  'message with an opaque $rewindTo',
  'message or $set',
  'message or metadata',
  '$set or metadata',
  'metadata with an opaque $set',
  '$set of a list',
  'no record',
  'blank line',
  'torn line',
  'NULs',
  'NULs before a record',
  'stub',
  'LF',
  'CRLF',
  'whole tail',
  'tail without newline',
  'torn tail',
]

describe.runIf(WITHOUT_LOADER === '')(
  `the live messages are those of the CLI itself${WITHOUT_LOADER}`,
  () => {
    it.each(readFixtureFiles())('$path', async ({ path, absolutePath, bytes }) => {
      expect(liveMessages(parseSessionFile({ path, bytes }))).toEqual(await loadMessagesWithCli(absolutePath))
    })

    it('for any log of valid and damaged records', async () => {
      const path = join(folder, 'session.jsonl')
      const reached = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(arbitraryLog, async ({ text, cases }) => {
          for (const name of cases) reached.set(name, (reached.get(name) ?? 0) + 1)
          writeFileSync(path, text)
          const parsed = parseSessionFile({ path, bytes: new TextEncoder().encode(text) })
          expect(liveMessages(parsed)).toEqual(await loadMessagesWithCli(path))
        }),
        { numRuns: 500 },
      )
      expect(CASES.filter((name) => (reached.get(name) ?? 0) < 5)).toEqual([])
    })

    it.each([
      ['pretty JSON with repeated ids', JSON.stringify(conversation(['a', 'b', 'a']), null, 2)],
      ['JSON of another indent', JSON.stringify(conversation(['a', 'b']), null, 4)],
      ['JSON on one line', JSON.stringify(conversation(['a', 'b']))],
      ['JSON without projectHash', JSON.stringify({ ...conversation(['a']), projectHash: undefined })],
      ['JSON on one line without projectHash', `${compactConversation(['a', 'b'])}\n`],
      ['JSON with a message on each line', messageLines(['a', 'b', 'c'])],
      ['no messages yet', JSON.stringify(conversation([]), null, 2)],
      ['CRLF', `${JSON.stringify(conversation(['a']))}\r\n${JSON.stringify({ id: 'b', type: 'user' })}\r\n`],
    ])('%s', async (_, text) => {
      const path = join(folder, 'session.json')
      writeFileSync(path, text)
      const parsed = parseSessionFile({ path, bytes: new TextEncoder().encode(text) })
      expect(liveMessages(parsed)).toEqual(await loadMessagesWithCli(path))
    })
  },
)

function liveMessages(parsed: ParsedFile) {
  return parsed.messages.filter(({ superseded }) => superseded === null).map(({ id, type }) => ({ id, type }))
}

function compactConversation(ids: readonly string[]) {
  return JSON.stringify({ ...conversation(ids), projectHash: undefined })
}

/** Its last message is on a separate line, as in a log. */
function messageLines(ids: readonly string[]) {
  const { messages, ...metadata } = conversation(ids)
  const rows = messages.map((message) => JSON.stringify(message)).join(',\n')
  return `${JSON.stringify(metadata).slice(0, -1)},"messages":[\n${rows}\n]}\n`
}

function conversation(ids: readonly string[]) {
  const messages = ids.map((id) => ({ id, timestamp: '2026-11-21T20:30:00.000Z', type: 'user', content: id }))
  return { sessionId: 's', projectHash: 'p', startTime: '2026-11-21T20:30:00.000Z', messages }
}
