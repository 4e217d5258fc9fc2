import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Doctor, doctorSchema, searchResultSchema, sessionListSchema } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WITHOUT_CLI } from '../../../fixtures/installed-tools.ts'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { findGemini, prepareHome, runGemini } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import { runProgram } from './run-program.ts'

// What the clean-up of Gemini CLI does at its next start: first predicted by this program, then done by the CLI itself.
// GEMINI_CLI=/folder/with/node_modules selects another version: docs/decisions/gone-is-not-lost.md
const INSTALLED =
  process.env.GEMINI_CLI ?? fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))
/** The samples: each was written by the CLI version that it is named after. */
const HOMES = fileURLToPath(new URL('../../../fixtures/homes', import.meta.url))
const DAY_MS = 86_400_000
const NOW_MS = machineTime().getTime()

const iso = (days: number) => new Date(NOW_MS - days * DAY_MS).toISOString()
const head = (id: string, days: number, more: object = {}) =>
  JSON.stringify({
    sessionId: id,
    projectHash: 'f'.repeat(64),
    startTime: iso(days),
    lastUpdated: iso(days),
    kind: 'main',
    ...more,
  })
const message = (type: string, days: number, content: unknown) =>
  JSON.stringify({ id: `${type} ${JSON.stringify(content).length}`, timestamp: iso(days), type, content })
const prompt = (days: number, text: string) => message('user', days, [{ text }])
const talk = (days: number) => [prompt(days, 'hello'), message('gemini', days, 'hi')]

interface Case {
  what: string
  /** Lines, or the whole text, of each of the files, whose names have the same ending. */
  files: (id: string) => { days: number; text: string[] | string; format?: 'json' }[]
  goes: boolean
  /** The CLI itself continues it before the prediction. */
  isResumed?: boolean
}

const CASES: Case[] = [
  {
    what: 'a recent session stays',
    files: (id) => [{ days: 1, text: [head(id, 1), ...talk(1)] }],
    goes: false,
  },
  {
    what: 'one of 40 days goes',
    files: (id) => [{ days: 40, text: [head(id, 40), ...talk(40)] }],
    goes: true,
  },
  {
    what: 'one of 40 days that was gone on with yesterday stays',
    files: (id) => [
      { days: 40, text: [head(id, 40), ...talk(40), JSON.stringify({ $set: { lastUpdated: iso(1) } })] },
    ],
    goes: false,
  },
  {
    what: 'one that was gone on with in another file goes with its first file',
    files: (id) => [
      { days: 40, text: [head(id, 40), ...talk(40)] },
      { days: 1, text: [head(id, 1), ...talk(1)] },
    ],
    goes: true,
  },
  {
    what: 'a healthy session goes with the stub that a resume left',
    files: (id) => [
      { days: 3, text: [head(id, 3), ...talk(3)] },
      { days: 1, text: [head(id, 1)] },
    ],
    goes: true,
  },
  {
    what: 'a session that the CLI has gone on with itself goes with the stub of its own',
    files: (id) => [{ days: 0.5, text: [head(id, 0.5), ...talk(0.5)] }],
    goes: true,
    isResumed: true,
  },
  {
    what: 'a healthy session goes with a damaged file of its id',
    files: (id) => [
      { days: 3, text: [head(id, 3), ...talk(3)] },
      { days: 2, text: '{"sessionId": "bro', format: 'json' },
    ],
    goes: true,
  },
  {
    what: 'a healthy session goes with a sub-agent’s file beside it',
    files: (id) => [
      { days: 3, text: [head(id, 3), ...talk(3)] },
      { days: 2, text: [head(`${id}-agent`, 2, { kind: 'subagent' }), ...talk(2)] },
    ],
    goes: true,
  },
  {
    what: 'another session goes whose name ends alike and that is too old',
    files: (id) => [
      { days: 3, text: [head(`${id}-one`, 3), ...talk(3)] },
      { days: 40, text: [head(`${id}-two`, 40), ...talk(40)] },
    ],
    goes: true,
  },
  {
    what: 'two healthy files of one session stay',
    files: (id) => [
      { days: 3, text: [head(id, 3), ...talk(3)] },
      { days: 2, text: [head(id, 2), ...talk(2)] },
    ],
    goes: false,
  },
  {
    what: 'one that was rewound to nothing goes',
    files: (id) => [
      { days: 3, text: [head(id, 3), ...talk(3), JSON.stringify({ $rewindTo: 'no such message' })] },
    ],
    goes: true,
  },
  {
    what: 'one with a notice only goes',
    files: (id) => [{ days: 3, text: [head(id, 3), message('info', 3, 'Only this.')] }],
    goes: true,
  },
  {
    what: 'one with a command only goes',
    files: (id) => [{ days: 3, text: [head(id, 3), prompt(3, '/help')] }],
    goes: true,
  },
  {
    what: 'one with its context only goes',
    files: (id) => [
      { days: 3, text: [head(id, 3), prompt(3, '<session_context>\nThis is the Gemini CLI.')] },
    ],
    goes: true,
  },
  { what: 'an empty file goes', files: () => [{ days: 3, text: '' }], goes: true },
  {
    what: 'a prompt without an answer stays',
    files: (id) => [{ days: 3, text: [head(id, 3), prompt(3, 'why?')] }],
    goes: false,
  },
  {
    what: 'one without the time of its last change stays',
    files: (id) => [{ days: 40, text: [head(id, 40, { lastUpdated: undefined }), ...talk(40)] }],
    goes: false,
  },
  {
    what: 'one with a torn end stays',
    files: (id) => [{ days: 3, text: [head(id, 3), ...talk(3), '{"id":"x","typ'] }],
    goes: false,
  },
]

let folder: string
let home: string
let chats: string
let told: Doctor['retention']
/** By the ending of the name. */
let due: Map<string, boolean[]>
/** The files that existed, and the answers when the CLI has deleted some of them and the archive has all. */
let kept: string[] = []
let before: Answers
let after: Answers
let messagesBefore: Map<string, unknown[]>
let messagesAfter: Map<string, unknown[]>

const suffixOf = (index: number) => `a${index.toString(16).padStart(7, '0')}`
const suffixIn = (path: string) => /-([^-]+)\.jsonl?$/.exec(basename(path))?.[1] ?? ''

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  home = join(folder, 'mia')
  const project = join(home, 'shop')
  prepareHome(home, project, { enabled: true, maxAge: '30d' })
  writeProject(join(home, '.gemini'), project)
  // a start cleans up, so sessions that it must not touch are written later
  writeCases(({ isResumed }) => isResumed === true)
  await startGemini(project, 0, '--resume', 'latest')
  writeCases(({ isResumed }) => isResumed !== true)
  writeSamples()
  const where = ['--no-cache', '--json', '--home', home]
  told = doctorSchema.parse(JSON.parse((await runProgram(['doctor', ...where])).stdout)).retention
  const { sessions } = sessionListSchema.parse(
    JSON.parse((await runProgram(['list', '--kind', 'all', ...where])).stdout),
  )
  due = new Map()
  for (const { files, deletedAfter } of sessions) {
    const isDue = deletedAfter != null && Date.parse(deletedAfter) <= machineTime().getTime()
    for (const suffix of new Set(files.map(({ path }) => suffixIn(path))))
      due.set(suffix, [...(due.get(suffix) ?? []), isDue])
  }
  kept = ['--json', '--home', home, '--data-dir', join(folder, 'data'), '--cache-dir', join(folder, 'cache')]
  expect((await runProgram(['keep', 'on', ...kept])).code).toBe(0)
  before = await ask(kept)
  messagesBefore = await everyMessage('before')
  // The clean-up runs concurrently with the first answer, and is aborted when that arrives.
  await startGemini(project, 2_500)
  after = await ask(kept)
  messagesAfter = await everyMessage('after')
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function startGemini(project: string, thinkMs: number, ...args: string[]): Promise<void> {
  const gemini = findGemini(INSTALLED)
  if (gemini === undefined)
    throw new Error(
      `There is no Gemini CLI in ${INSTALLED}: run \`npm ci\` there (\`npm run test:all\` does it for you).`,
    )
  const model = await listenAsModel(project, { thinkMs })
  const address = model.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const asked = [...args, '-p', 'Please list files here', '--yolo']
  try {
    await runGemini(gemini, { home, folder: project, port, args: asked, isQuiet: true })
  } finally {
    model.close()
  }
}

interface Answers {
  sessions: SessionSummary[]
  /** Keys of sessions found by a word that every conversation contains. */
  found: string[]
}

async function ask(where: string[]): Promise<Answers> {
  const printed = async (...args: string[]) => JSON.parse((await runProgram([...args, ...where])).stdout)
  const { sessions } = sessionListSchema.parse(await printed('list', '--kind', 'all'))
  const { hits } = searchResultSchema.parse(await printed('search', 'hello', '--limit', '1000'))
  return { sessions, found: [...new Set(hits.map(({ sessionKey }) => sessionKey))].sort() }
}

/** All messages of every session of the project, from an export. */
async function everyMessage(name: string): Promise<Map<string, unknown[]>> {
  const out = ['--project', 'shop', '--format', 'json', '--out', join(folder, name)]
  const { stdout } = await runProgram(['export', ...out, ...kept])
  const { files } = JSON.parse(stdout) as { files: { sessionKey: string; path: string }[] }
  return new Map(
    files.map(({ sessionKey, path }) => [sessionKey, JSON.parse(readFileSync(path, 'utf8')).messages]),
  )
}

function writeCases(isWanted: (each: Case) => boolean): void {
  for (const [index, each] of CASES.entries()) {
    const suffix = suffixOf(index)
    const files = isWanted(each) ? each.files(`${suffix}-1111-4111-8111-111111111111`) : []
    for (const { days, text, format = 'jsonl' } of files) {
      const minute = iso(days).slice(0, 16).replace(':', '-')
      const content = typeof text === 'string' ? text : `${text.join('\n')}\n`
      writeFileSync(join(chats, `session-${minute}-${suffix}.${format}`), content)
    }
  }
}

/** Everything that a CLI wrote for the samples, made a month older: old enough to be deleted. */
function writeSamples(): void {
  for (const version of readdirSync(HOMES)) {
    const tmp = join(HOMES, version, '.gemini', 'tmp')
    for (const place of existsSync(tmp) ? readdirSync(tmp, { recursive: true, encoding: 'utf8' }) : []) {
      const inChats = /[\\/]chats[\\/](.*\.jsonl?)$/.exec(place)?.[1]
      if (inChats === undefined) continue
      const aged = readFileSync(join(tmp, place), 'utf8').replaceAll('2026-11-', '2026-10-')
      mkdirSync(dirname(join(chats, inChats)), { recursive: true })
      writeFileSync(join(chats, inChats.replace('2026-11-', '2026-10-')), aged)
    }
  }
}

function writeProject(geminiHome: string, project: string): void {
  chats = join(geminiHome, 'tmp', 'shop', 'chats')
  mkdirSync(chats, { recursive: true })
  mkdirSync(join(geminiHome, 'history', 'shop'), { recursive: true })
  for (const place of ['tmp', 'history'])
    writeFileSync(join(geminiHome, place, 'shop', '.project_root'), project)
  writeFileSync(join(geminiHome, 'projects.json'), JSON.stringify({ projects: { [project]: 'shop' } }))
}

describe.runIf(process.platform !== 'win32' && WITHOUT_CLI === '')(
  `the next start of Gemini CLI${WITHOUT_CLI}`,
  () => {
    test.each(CASES.map((each, index) => ({ ...each, suffix: suffixOf(index) })))(
      '$what',
      ({ goes, suffix }) => {
        const left = readdirSync(chats).filter((name) => suffixIn(name) === suffix)
        expect({ goes: left.length === 0, told: new Set(due.get(suffix)) }).toEqual({
          goes,
          told: new Set([goes]),
        })
      },
    )

    test('each conversation that it takes whatever its age is named with its reason', () => {
      const reasons = new Map(told.atRisk.map(({ path, reason }) => [suffixIn(path), reason]))
      const of = (what: string) => reasons.get(suffixOf(CASES.findIndex((each) => each.what.includes(what))))
      expect(of('the stub that a resume left')).toContain('An empty file, as a resume can leave one')
      expect(of('the stub of its own')).toContain('An empty file, as a resume can leave one')
      expect(of('damaged file')).toContain('is damaged')
      expect(of('sub-agent')).toContain('sub-agent’s file')
      expect(of('rewound to nothing')).toContain('treats this session as empty')
      expect(of('a command only')).toContain('no answer in it and no prompt but commands')
      expect(of('40 days')).toBeUndefined()
    })

    test('nothing of what it took is lost: listed, priced, found and readable from the archive', async () => {
      const taken = before.sessions.filter(({ files }) =>
        files.every(({ path }) => !existsSync(join(home, '.gemini', path))),
      )
      expect(taken.length).toBeGreaterThan(30)
      const now = new Map(after.sessions.map((session) => [session.key, session]))
      for (const { key, title, counts, usage, cost, recorded } of taken)
        expect(now.get(key)).toMatchObject({ title, counts, usage, cost, recorded, deletedBy: 'gemini-cli' })
      for (const { key, deletedSeen } of after.sessions)
        expect(deletedSeen !== null).toBe(taken.some((session) => session.key === key))
      expect(after.found).toEqual(expect.arrayContaining(before.found))
      expect(messagesBefore.size).toBe(before.sessions.length)
      for (const { key, counts } of before.sessions) {
        expect(messagesBefore.get(key)).toHaveLength(counts?.messages ?? -1)
        expect(messagesAfter.get(key)).toEqual(messagesBefore.get(key))
      }
    })
  },
)
