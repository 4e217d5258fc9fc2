import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { CLI_CORE, WITHOUT_LOADER } from '../../../fixtures/installed-tools.ts'
import type { Message, Session } from '../src/index.ts'
import { plainText } from '../src/parse/lift/parts.ts'
import { isRawObject } from '../src/raw.ts'
import { arbitraryLog } from './arbitrary-log.ts'
import { type CliMessage, type CliRecord, loadRecordWithCli, toKnownType } from './cli-oracle.ts'
import { readHome } from './read-home.ts'

const FIXTURES = fileURLToPath(new URL('../../../fixtures/', import.meta.url))

const DEMO = 'home'
/** Unknown to the loader of 0.61. */
const AFTER_0_61 = ['patch']

/** The demo home, and every home of a real version, of the conformance set and of the token fixtures. */
const HOMES = [
  DEMO,
  ...['homes', 'sessions', 'tokens'].flatMap((folder) =>
    readdirSync(join(FIXTURES, folder)).flatMap((name) => {
      if (AFTER_0_61.includes(name)) return []
      const home = join(folder, name, folder === 'homes' ? '' : 'home')
      return existsSync(join(FIXTURES, home)) ? [home] : []
    }),
  ),
]

const folder = mkdtempSync(join(tmpdir(), 'loaded-sessions-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.runIf(WITHOUT_LOADER === '')(
  `T13: a session in one file is what loadConversationRecord makes of that file${WITHOUT_LOADER}`,
  () => {
    it('which the package exports', () => {
      const script = `const core = await import(${JSON.stringify(pathToFileURL(CLI_CORE).href)})
        console.log(typeof core.loadConversationRecord)
        process.exit()`
      const told = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder },
      })
      expect(told.trim()).toBe('function')
    })

    it.each(HOMES)('in %s', async (home) => {
      const { sessions } = await readHome(join(FIXTURES, home))
      let compared = 0
      for (const session of sessions) compared += (await compare(session)) ? 1 : 0
      // the demo home is large enough to show that anything is compared at all
      if (home === DEMO) expect(compared).toBeGreaterThan(30)
    })

    it('L3: also where the only message is one that the CLI or a hook wrote', async () => {
      const home = join(folder, 'only', '.gemini')
      const path = join(home, 'tmp/shop/chats/session-2026-11-21T20-30-bbbbbbbb.jsonl')
      mkdirSync(dirname(path), { recursive: true })
      const time = '2026-11-21T20:30:00.000Z'
      const head = { sessionId: 's', projectHash: 'h', startTime: time, lastUpdated: time, kind: 'main' }
      const told: boolean[] = []
      for (const text of [
        '<state_snapshot>a</state_snapshot>',
        '<hook_context>a</hook_context>',
        '/help',
        'hello',
      ]) {
        const row = { id: 'a', timestamp: time, type: 'user', content: [{ text }] }
        writeFileSync(path, `${JSON.stringify(head)}\n${JSON.stringify(row)}\n`)
        const { sessions } = await readHome(home)
        for (const session of sessions) expect(await compare(session)).toBe(true)
        told.push(sessions[0]?.files[0]?.resumable === true)
      }
      expect(told).toEqual([true, false, false, true])
    })

    it('for any log of valid and damaged records', async () => {
      const home = join(folder, '.gemini')
      const chats = join(home, 'tmp/shop/chats')
      mkdirSync(chats, { recursive: true })
      let loaded = 0
      await fc.assert(
        fc.asyncProperty(arbitraryLog, async ({ text }) => {
          writeFileSync(join(chats, 'session-2026-11-21T20-30-aaaaaaaa.jsonl'), text)
          const { sessions } = await readHome(home)
          for (const session of sessions) loaded += (await compare(session, true)) ? 1 : 0
        }),
        { numRuns: 300 },
      )
      expect(loaded).toBeGreaterThan(150)
    })
  },
)

/**
 * false: it has several files, or the CLI refuses the file. `isRandom`: random rows change the content of a message, which no version does,
 * and some cannot be loaded by the CLI; this reader keeps more of them, so the content of messages is not compared.
 */
async function compare(session: Session, isRandom = false): Promise<boolean> {
  const [file, ...others] = session.files
  if (file === undefined || others.length > 0) return false
  const record = await loadRecordWithCli(join(file.home, file.path))
  if (record === null) return false
  const { messages = [] } = record
  const live = session.messages.filter(({ superseded }) => superseded === null)
  expect(ownHeader(session)).toEqual(cliHeader(record, session))
  expect(live.map(({ id, type }) => `${id} ${type}`)).toEqual(
    messages.map(({ id = '', type }) => `${id} ${toKnownType(type)}`),
  )
  if (isRandom) return true
  expect([file.path, file.resumable]).toEqual([file.path, isResumable(record)])
  expect(live.flatMap((own, index) => missingIn(own, messages[index] ?? {}))).toEqual([])
  return true
}

function ownHeader({ sessionId, projectHash, lastUpdated, summary, directories }: Session) {
  return { sessionId, projectHash, lastUpdated, summary, directories }
}

function cliHeader(record: CliRecord, session: Session) {
  const { sessionId, projectHash, lastUpdated, summary, directories } = record
  const isTime = /^\d{4}-\d\d-\d\dT/.test(lastUpdated)
  return {
    sessionId,
    projectHash,
    lastUpdated: isTime ? lastUpdated : session.lastUpdated,
    summary: summary ?? null,
    directories: directories ?? [],
  }
}

/** The CLI never lists a sub-agent. */
function isResumable({ kind, hasResumableContent }: CliRecord): boolean {
  return kind !== 'subagent' && hasResumableContent === true
}

/** What the CLI would send and this reader lacks; it keeps more than the last record has (contract rule 3). */
function missingIn(own: Message, { id, type, content, toolCalls, tokens }: CliMessage): string[] {
  // it is displayed like its original
  if (own.copyOf !== null) return []
  const missing: string[] = []
  const said = own.content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  if (type !== 'user' && plainText(content) !== said) missing.push(`${id} text`)
  const calls = new Set(own.toolCalls.map((call) => call.id))
  for (const call of Array.isArray(toolCalls) ? toolCalls : [])
    if (isRawObject(call) && typeof call.id === 'string' && !calls.has(call.id))
      missing.push(`${id} ${call.id}`)
  const total = isRawObject(tokens) ? tokens.total : 0
  if (typeof total === 'number' && total > 0 && own.usage?.total !== total) missing.push(`${id} tokens`)
  return missing
}
