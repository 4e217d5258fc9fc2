import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  costWhySchema,
  doctorSchema,
  type SessionList,
  searchResultSchema,
  sessionListSchema,
  usageReportSchema,
} from '@gemini-dash/api'
import { messageSchema, type SessionSummary, segmentSchema, sessionSummarySchema } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fixtureHome } from '../../test/open-test-server.ts'
import { runProgram } from '../../test/run-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** On a home written by the CLI, with one cache for all tests of this file. */
function run(...args: string[]) {
  return runProgram([...args, '--home', fixtureHome('0.61.0'), '--cache-dir', join(folder, 'cache')])
}

async function jsonOf<Schema extends z.ZodType>(schema: Schema, ...args: string[]): Promise<z.infer<Schema>> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return schema.parse(JSON.parse(stdout))
}

let rows: SessionList['sessions'] | undefined
/** Output of `list`, once for all tests that only need the key of a session. */
async function listed(): Promise<SessionList['sessions']> {
  rows ??= (await jsonOf(sessionListSchema, 'list')).sessions
  return rows
}
const byMessages = (one: SessionSummary, other: SessionSummary) =>
  (other.counts?.messages ?? 0) - (one.counts?.messages ?? 0)

const shownSchema = z.strictObject({
  schemaVersion: z.literal(1),
  coverage: z.strictObject({ filesDone: z.number(), filesTotal: z.number() }),
  session: sessionSummarySchema,
  segments: z.array(segmentSchema),
  messages: z.array(messageSchema),
})

describe('--json prints what the API answers', () => {
  test('list, with every row', async () => {
    const { sessions, total, nextCursor } = await jsonOf(sessionListSchema, 'list', '--kind', 'all')
    expect([sessions.length, nextCursor]).toEqual([total, null])
    expect(sessions.every(({ indexed }) => indexed === 'full')).toBe(true)
  })

  test('list --limit, with as many rows', async () => {
    const { sessions, total } = await jsonOf(sessionListSchema, 'list', '--limit', '2')
    expect(sessions.length).toBe(2)
    expect(total).toBeGreaterThan(2)
  })

  test('show, with every message, by key, session id and the beginning of one', async () => {
    const { sessions } = await jsonOf(sessionListSchema, 'list', '--sort', 'messages', '--limit', '1')
    const [session] = sessions
    if (session === undefined) throw new Error('The fixture has no session')
    for (const name of [session.key, session.sessionId, session.sessionId.slice(0, 13)]) {
      const shown = await jsonOf(shownSchema, 'show', name)
      expect([shown.session.key, shown.messages.length]).toEqual([session.key, session.counts?.messages])
    }
  })

  test('search, usage and doctor', async () => {
    const result = await jsonOf(searchResultSchema, 'search', 'rounding', '--mode', 'words', '--limit', '1')
    expect(result.hits.length).toBe(1)
    const report = await jsonOf(usageReportSchema, 'usage', '--by', 'model')
    expect(report.rows.map(({ key }) => key)).toContain('gemini-2.5-pro')
    const doctor = await jsonOf(doctorSchema, 'doctor')
    expect(doctor.homes.map(({ exists }) => exists)).toEqual([true])
  })
})

describe('without --json there is something to read', () => {
  test('list', async () => {
    const { code, stdout, stderr } = await run('list')
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toMatch(
      /^TITLE {2}PROJECT {2}TOOL CALLS {2}FAILED {2}TOKENS {2}COST {2}LAST ACTIVITY {2}KEY$/,
    )
    // what it says about deletion depends on the day
    expect(stderr).toMatch(/^\d+ sessions\n/)
  })

  test('C4: show closes a turn whose request failed with the reason, and calls its prompt nothing else', async () => {
    const sessions = await listed()
    const failed = sessions.find(({ outcome }) => outcome?.kind === 'unanswered')
    const { stdout } = await run('show', failed?.key ?? '')
    expect(stdout).toMatch(
      /You {2}[:\d]+\n {4}Make the server fail\n {4}No answer was recorded: the request failed or the program was stopped\n$/,
    )
    expect(stdout).not.toContain('[aborted]')
  })

  test('show --cost: each line of why, and what to do', async () => {
    const { sessions } = await jsonOf(sessionListSchema, 'list', '--sort', 'cost', '--limit', '1')
    const [row] = sessions
    const why = await jsonOf(costWhySchema, 'show', row?.key ?? '', '--cost')
    expect(why.total).toBe(row?.withSubagents.cost?.usd)
    const { stdout } = await run('show', row?.key ?? '', '--cost')
    const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/).join(' '))
    expect(lines.slice(0, 2)).toEqual([row?.title, `Why it cost ${why.shown}`])
    for (const { shown, percent, text, advice } of why.lines) {
      expect(lines).toContain(`${shown} ${percent}% ${text}`)
      expect(lines).toContain(advice ?? 'Nothing to change.')
    }
    expect((await run('show', row?.key ?? '', '--cost', '--last', '1')).code).toBe(2)
  })

  test('show', async () => {
    const sessions = (await listed()).toSorted(byMessages)
    const { code, stdout } = await run('show', sessions[0]?.key ?? '')
    expect(code).toBe(0)
    for (const text of [sessions[0]?.title ?? '?', '[1] You', '    Gemini', '      ok  '])
      expect(stdout).toContain(text)
    expect(stdout).not.toMatch(/ in, .* out/)
    expect((await run('show', sessions[0]?.key ?? '', '--depth', 'all')).stdout).toMatch(/ in, .* out/)
  })

  test('D2: show tells as much as it is asked for, tool outputs included, and only the turns', async () => {
    const { hits } = await jsonOf(searchResultSchema, 'search', 'tool:Shell', '--limit', '1')
    const key = hits[0]?.sessionKey ?? ''
    const { messages } = await jsonOf(shownSchema, 'show', key)
    const outputs = messages.flatMap(({ toolCalls }) => toolCalls.map(({ output }) => output))
    const line = outputs
      .flatMap((output) => (output.kind === 'text' ? output.text.split('\n') : []))
      .find((text) => text.length > 20)
    const told = async (...args: string[]) => (await run('show', key, ...args)).stdout
    expect(await told('--depth', 'tools')).toContain(line)
    expect(await told('--depth', 'talk')).not.toMatch(/^ {6}(?:ok|x ) {2}/m)
    expect(await told('--depth', 'prompts')).not.toMatch(/^ {4}Gemini/m)
    const { messages: last } = await jsonOf(shownSchema, 'show', key, '--last', '1', '--depth', 'prompts')
    expect(last.map(({ origin }) => origin)).toEqual(['human'])
    expect((await run('show', key, '--turn', '99')).stderr).toMatch(
      /^Turn not found.*\nIts turns are \d to \d/s,
    )
  })

  test('D2: KEY is looked for in the project that is named', async () => {
    const sessions = await listed()
    const [one] = sessions
    const inProject = (name = '') => run('show', one?.key ?? '', '--project', name)
    expect((await inProject(one?.project.name)).code).toBe(0)
    expect(await inProject('elsewhere')).toMatchObject({ code: 1, stdout: '' })
  })

  test.each([['search', 'rounding'], ['usage'], ['usage', '--by', 'tool'], ['doctor'], ['doctor', '--all']])(
    '%s %s',
    async (...args) => {
      const { code, stdout } = await run(...args.filter((word) => word !== undefined))
      expect(code).toBe(0)
      expect(stdout.length).toBeGreaterThan(20)
    },
  )

  test('C13: a tool has the name that it has on the page, whatever tells of it', async () => {
    const found = await jsonOf(searchResultSchema, 'search', 'tool:Shell', '--limit', '1')
    const shown = await run('show', found.hits[0]?.sessionKey ?? '')
    expect(shown.stdout).toMatch(/^ {6}(?:ok|x ) {2}Shell {2}/m)
    const searched = await run('search', 'tool:Shell')
    expect(searched.stdout).toMatch(/^ {2}Shell {2}/m)
    const used = await run('usage', '--by', 'tool')
    expect(used.stdout).toMatch(/^Shell /m)
    for (const { stdout } of [shown, searched, used]) expect(stdout).not.toContain('run_shell_command')
  })

  test('search understands filters, and says on stderr what it read literally', async () => {
    const { code, stdout, stderr } = await run('search', 'rounding in:prompt,answer -zzyzx foo:bar')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('“foo:bar” was searched for literally')
    expect((await run('search', 'rounding', '-zzyzx', 'in:prompt')).stdout).toContain('  You  ')
  })

  test('R50: no control character of a file, and no colour, reaches a pipe', async () => {
    for (const args of [['list'], ['search', 'the'], ['doctor']]) {
      expect((await run(...args)).stdout).not.toMatch(/[^\P{Cc}\n]/u)
    }
  })
})

describe('R44: a mistake is told in a sentence, without a stack', () => {
  test.each<[string[], number, string]>([
    [['show', 'nowhere'], 1, 'There is no session "nowhere".'],
    [['show'], 2, 'Which session?'],
    [['show', 'nowhere', '--depth', 'deep'], 2, '--depth: "deep" is not one of prompts, talk,'],
    [['show', 'nowhere', '--last', 'few'], 2, '--last: "few" is not a whole number.'],
    [['search'], 2, 'What do you want to search for?'],
    [['list', '--kind', 'moon'], 2, '--kind: '],
    [['list', '--limit', 'many'], 2, '--limit: "many" is not a whole number.'],
    [['usage', '--by', 'hour'], 2, '--by: '],
    [['usage', '--tz', 'Mars'], 2, '--tz: '],
    [['list', '--moon'], 2, '--moon'],
    [['url', '--data-dir', '/nonexistent'], 1, 'No dashboard is running'],
  ])('%j ends with %i', async (args, expected, sentence) => {
    const { code, stdout, stderr } = await runProgram(
      [...args, '--home', fixtureHome('0.61.0')].concat(args[0] === 'url' ? [] : '--no-cache'),
    )
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a home that is not there', async () => {
    const { code, stderr } = await runProgram(['list', '--home', join(folder, 'nowhere'), '--no-cache'])
    expect(code).toBe(1)
    expect(stderr).toContain('There is no Gemini folder at')
  })

  test('a session id that several sessions share names their keys', async () => {
    // Two conversations of one run: `/clear` kept the id in this version.
    const where = ['--home', fixtureHome('0.30.1-interactive'), '--no-cache']
    const { code, stderr } = await runProgram(['show', 'df894ac7', ...where])
    expect(code).toBe(2)
    const keys = stderr.match(/Use one of: (.+)/)?.[1]?.split(', ') ?? []
    expect(keys.length).toBe(2)
    for (const key of keys) expect((await runProgram(['show', key, ...where])).code).toBe(0)
  })
})

test('-h and -v answer at once, also without a home', async () => {
  expect(await runProgram(['-h'])).toMatchObject({ code: 0, stderr: '' })
  expect((await runProgram(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('R28: --no-cache writes nothing', async () => {
  const empty = mkdtempSync(join(folder, 'home-'))
  const env = { HOME: empty, XDG_CACHE_HOME: empty, XDG_DATA_HOME: empty, TMPDIR: empty }
  const { code } = await runProgram(['list', '--home', fixtureHome('0.61.0'), '--no-cache'], env)
  expect([code, readdirSync(empty)]).toEqual([0, []])
})
