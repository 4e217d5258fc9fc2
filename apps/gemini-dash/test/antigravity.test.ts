import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  CostReport,
  Doctor,
  LiveEvent,
  MarkList,
  MessagePage,
  MoveAnswer,
  ProjectList,
  RecoverAnswer,
  Resume,
  SearchResult,
  SessionList,
  UsageReport,
} from '@gemini-dash/api'
import { EXPORT_FORMATS } from '@gemini-dash/api'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Neighbours } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import {
  AGY_ID,
  AGY_PARENT_ID,
  agyOpening,
  agyScript,
  agyUsage,
} from '../../../fixtures/antigravity/agy-conversation.ts'
import { writeAgyCanaries, writeAgyConversation } from '../../../fixtures/antigravity/write-agy-home.ts'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { type RunningProgram, runProgram, startProgram } from './run-program.ts'

const FORK_ID = '11111111-0b7e-4c11-9d58-6a1f0e2b7c90'
const ENCRYPTED_ID = '22222222-0b7e-4c11-9d58-6a1f0e2b7c90'
const DAMAGED_ID = '33333333-0b7e-4c11-9d58-6a1f0e2b7c90'
const LIVE_ID = '44444444-0b7e-4c11-9d58-6a1f0e2b7c90'
const GEMINI_ID = 'aaaaaaaa-0000-4000-8000-000000000000'
const WORKSPACE = '/home/someone/shop'
const CONVERSATION_FOLDER = 'antigravity-cli'

let folder: string
let home: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-agy-'))
  home = join(folder, '.gemini')
  writeHome(home)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A session of Gemini CLI and conversations of Antigravity CLI in the same folder: complete, forked, encrypted and damaged. */
function writeHome(path: string): void {
  writeGeminiSession(path)
  writeAgyCanaries(path)
  writeAgyConversation(path, agyScript(agyOpening(), { artifacts: { 'plan.md': '# The vermilion plan' } }))
  const own = agyOpening('Who rounds here?')
  writeAgyConversation(path, agyScript(own, { id: AGY_PARENT_ID, trajectory: 'parent' }))
  const more = [
    { kind: 'prompt' as const, text: 'Else?' },
    { kind: 'answer' as const, text: 'No.', usage: agyUsage({ cacheRead: 0 }) },
  ]
  const forkOf = { conversation: AGY_PARENT_ID, trajectory: 'parent', steps: own.length }
  const database = { areGenerationsOwn: true }
  writeAgyConversation(path, agyScript([...own, ...more], { id: FORK_ID, forkOf }), { database })
  const nothing = { database: false, transcripts: false, hasEncrypted: true } as const
  writeAgyConversation(path, agyScript([], { id: ENCRYPTED_ID }), nothing)
  const typed = { display: 'An old question', timestamp: 1_780_000_000_000, workspace: WORKSPACE }
  appendFileSync(
    join(path, CONVERSATION_FOLDER, 'history.jsonl'),
    `${JSON.stringify({ ...typed, conversationId: ENCRYPTED_ID })}\n`,
  )
  const damaged = writeAgyConversation(path, agyScript(agyOpening('Is this damaged?'), { id: DAMAGED_ID }))
  writeFileSync(damaged, 'no database at all, and long enough to be taken for one'.repeat(100))
  rmSync(`${damaged}-wal`)
}

function writeGeminiSession(path: string): void {
  const rows = [
    { sessionId: GEMINI_ID, projectHash: 'x', startTime: '2026-06-01T10:00:00.000Z', kind: 'main' },
    { id: 'p1', timestamp: '2026-06-01T10:00:01.000Z', type: 'user', content: 'Before the change' },
    {
      ...{ id: 'a1', timestamp: '2026-06-01T10:00:02.000Z', type: 'gemini', content: 'An answer.' },
      ...{ model: 'gemini-2.5-flash', tokens: { input: 100, output: 10, cached: 0, total: 110 } },
    },
  ]
  const chats = join(path, 'tmp/shop/chats')
  mkdirSync(chats, { recursive: true })
  writeFileSync(join(path, 'tmp/shop/.project_root'), WORKSPACE)
  writeFileSync(
    join(chats, 'session-2026-06-01T10-00-aaaaaaaa.jsonl'),
    `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`,
  )
}

const ask = async <Answer>(...args: string[]): Promise<Answer> => JSON.parse(await print(...args, '--json'))
const print = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runProgram([...args, '--home', folder, ...OWN()])
  expect([code, stderr.includes('Error')], stderr).toEqual([0, false])
  return stdout
}
const OWN = () => ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]

async function rowOf(id: string) {
  const { sessions } = await ask<SessionList>('list')
  const row = sessions.find(({ sessionId }) => sessionId === id)
  if (row === undefined) throw new Error(`There is no session ${id}.`)
  return row
}

describe('conversations of Antigravity CLI', { timeout: 60_000 }, () => {
  it('are one list with the sessions of Gemini CLI, and of the same projects', async () => {
    const { sessions } = await ask<SessionList>('list')
    const rows = sessions.map(({ sessionId, source, title, project }) => [
      sessionId,
      source,
      title,
      project.path,
    ])
    expect(rows).toHaveLength(6)
    expect(rows).toEqual(
      expect.arrayContaining([
        [GEMINI_ID, 'gemini-cli', 'Before the change', WORKSPACE],
        [AGY_ID, 'antigravity-cli', 'Rounding of totals', WORKSPACE],
        [ENCRYPTED_ID, 'antigravity-cli', 'An old question', WORKSPACE],
        [DAMAGED_ID, 'antigravity-cli', 'Is this damaged?', '/home/someone/typed'],
      ]),
    )
    expect(new Set(sessions.map(({ project }) => project.key)).size).toBe(2)
    const dated = sessions.filter(({ deletedAfter }) => deletedAfter !== null)
    expect(dated.filter(({ source }) => source === 'antigravity-cli')).toEqual([])
  })

  it('are read, searched and exported as any session', async () => {
    const { key } = await rowOf(AGY_ID)
    const shown = await print('show', key)
    for (const text of ['Why does the total round down?', 'run_command', 'It uses int().', 'Looking around'])
      expect(shown).toContain(text)
    expect(shown).toContain('Antigravity CLI. Costs: API list price, not what a subscription was charged.')
    const found = await ask<SearchResult>('search', 'cart.py')
    expect(found.hits.map(({ sessionKey }) => sessionKey)).toContain(key)
    const exact = await ask<SearchResult>('search', 'uses `int', '--mode', 'substring')
    expect(exact.hits.map(({ sessionKey }) => sessionKey)).toContain(key)
    expect(exact.sessions[key]?.source).toBe('antigravity-cli')
    expect(await print('search', 'uses', '--mode', 'substring')).toMatch(/^ {2}Antigravity {2}It uses/m)
    expect(shown).toMatch(/^ {4}Antigravity$/m)
    const brief = await print('handover', key)
    expect(brief).toMatch(/^# Brief of an Antigravity CLI session .*Why does the total round down\?/s)
    const markdown = await print('export', key, '--format', 'markdown')
    expect(markdown).toMatch(/^## Injected by Antigravity CLI,.*^## Antigravity,.*It uses `int\(\)`[.]/ms)
    expect(markdown).not.toContain('## Gemini')
  })

  it('are found and left out by the program that recorded them', async () => {
    const sourcesOf = async (query: string) => {
      const { facets, sessions } = await ask<SearchResult>('search', query)
      return [facets.source.map(({ label }) => label), Object.keys(sessions).length]
    }
    const [all, own] = [await sourcesOf('in:prompt'), await sourcesOf('in:prompt source:antigravity-cli')]
    expect(all).toEqual([['Antigravity CLI', 'Gemini CLI'], 5])
    expect(own[1]).toBe(4)
    expect((await sourcesOf('in:prompt source:gemini-cli'))[1]).toBe(1)
    const { sources } = await ask<SessionList>('list')
    const { sessions } = await ask<SessionList>('list', '--source', 'gemini-cli')
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([GEMINI_ID])
    expect(sources).toEqual([
      { source: 'gemini-cli', sessions: 1 },
      { source: 'antigravity-cli', sessions: 5 },
    ])
  })

  it('of which one is a fork of another count what both hold once', async () => {
    const [origin, fork] = [await rowOf(AGY_PARENT_ID), await rowOf(FORK_ID)]
    expect([origin.usage?.total, origin.copiedFrom]).toEqual([13_860, null])
    expect(fork.copiedFrom).toEqual({ sessionKey: origin.key, requests: 3 })
    expect(fork.usage).toMatchObject({ input: 1200, total: 1300, calls: 1 })
    const usage = await ask<UsageReport>('usage', '--by', 'session')
    const totals = new Map(usage.rows.map(({ key, usage: spent }) => [key, spent?.total]))
    expect([totals.get(origin.key), totals.get(fork.key)]).toEqual([13_860, 1300])
  })

  it('that cannot be read are rows that say why', async () => {
    const { stdout } = await runProgram(['doctor', '--json', '--home', folder, ...OWN()])
    const doctor = JSON.parse(stdout) as Doctor
    expect(doctor.issues.map(({ code }) => code).sort()).toEqual([
      'damaged-database',
      'encrypted',
      'from-transcript',
    ])
    const [encrypted, damaged] = [await rowOf(ENCRYPTED_ID), await rowOf(DAMAGED_ID)]
    expect([encrypted.startTime, encrypted.counts?.messages]).toEqual(['2026-05-28T20:26:40.000Z', 0])
    expect([damaged.issues, damaged.counts?.prompts, damaged.files[0]?.format]).toEqual([2, 1, 'transcript'])
  })

  it('go on in Antigravity CLI itself, and are neither recovered, moved nor forked', async () => {
    const { key } = await rowOf(AGY_ID)
    const resume = await ask<Resume>('resume', key)
    expect(resume.command).toContain(`cd ${WORKSPACE} && agy `)
    expect(resume.command).toContain(`--conversation ${AGY_ID}`)
    for (const args of [
      ['recover', key],
      ['move', key, '--to', folder],
      ['fork', key, '--at', '2', '--write'],
    ]) {
      const { stdout } = await runProgram([...args, '--json', '--home', folder, ...OWN()])
      const { refused, writes } = JSON.parse(stdout) as RecoverAnswer | MoveAnswer
      expect([refused.map(({ code }) => code), writes]).toEqual([['other-program'], []])
    }
  })
})

describe('conversations beside sessions', { timeout: 60_000 }, () => {
  let program: RunningProgram
  let origin = ''
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`${origin}${path}`)).json()) as Answer
  const put = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', origin }
    return (await fetch(`${origin}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) })).status
  }

  beforeAll(async () => {
    const args = ['serve', '--no-open', '--no-token', '--json', '--port', '0', '--home', folder]
    program = startProgram([...args, ...OWN()])
    origin = `http://127.0.0.1:${JSON.parse(await program.firstLine).port}`
  })
  afterAll(async () => {
    program.child.kill()
    await program.finished
  })

  it('are counted with them', async () => {
    const [own, other] = [await rowOf(AGY_ID), await rowOf(GEMINI_ID)]
    expect([own, other].map(({ source, usage }) => [source, usage?.total])).toEqual([
      ['antigravity-cli', 13_860],
      ['gemini-cli', 110],
    ])
    const { rows } = await get<UsageReport>('/api/usage?by=project')
    const of = (name: string) => rows.find(({ label }) => label.includes(name))?.usage?.total
    // two conversations, a fork of one of them, and a session
    expect(of('shop')).toBe(13_860 * 2 + 1300 + 110)
  })

  it('have stars, tags and notes, by which they are found', async () => {
    const { key } = await rowOf(AGY_ID)
    expect(await put(`/api/marks/${key}`, { star: true, tags: ['rounding'], note: 'by the cent' })).toBe(200)
    for (const filter of ['starred=true', 'tag=rounding']) {
      const { sessions } = await get<SessionList>(`/api/sessions?${filter}`)
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual([AGY_ID])
    }
    const { marks } = await get<MarkList>('/api/marks')
    expect(marks[key]).toMatchObject({ note: 'by the cent' })
  })

  it('leave in every form, with their texts and tokens', async () => {
    const { key } = await rowOf(AGY_ID)
    const withText: string[] = []
    // HTML requires the built page, which only browser tests have
    for (const format of EXPORT_FORMATS.filter((each) => each !== 'html')) {
      const answer = await fetch(`${origin}/api/sessions/${key}/export?format=${format}`)
      expect([format, answer.status]).toEqual([format, 200])
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.length, format).toBeGreaterThan(0)
      if (bytes.includes('It uses')) withText.push(format)
    }
    expect(withText).toEqual(expect.arrayContaining(['json', 'markdown']))
  })

  it('are plans with what the agent wrote for the person', async () => {
    const { key } = await rowOf(AGY_ID)
    const { plans } = await get<Neighbours>(`/api/sessions/${key}/neighbours`)
    expect(plans.map(({ scope, text }) => [scope, text])).toEqual([['session', '# The vermilion plan']])
    const [plan] = plans
    const saved = await fetch(`${origin}/api/sessions/${key}/neighbours/${plan?.file.id}`)
    expect(await saved.text()).toBe('# The vermilion plan')
  })

  it('are answered to a model by every tool', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(inject('program'), 'cli.js'), 'mcp', '--home', folder, ...OWN()],
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const call = async (name: string, args: object) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...args } })
      expect(isError ?? false, JSON.stringify(content)).toBe(false)
      return JSON.stringify(content)
    }
    const { key } = await rowOf(AGY_ID)
    const listed = await call('list_sessions', { source: 'antigravity-cli' })
    expect([listed.includes(key), listed.includes(GEMINI_ID)]).toEqual([true, false])
    expect(await call('get_session', { key })).toContain('Rounding of totals')
    expect(await call('get_messages', { key })).toContain('It uses `int()`.')
    expect(await call('search_sessions', { q: 'cart.py source:antigravity-cli' })).toContain(key)
    expect(await call('get_usage', { by: 'session' })).toContain(key)
    await client.close()
  })
})

describe('a conversation that is deleted', { timeout: 60_000 }, () => {
  it.each([
    ['as a whole', ['conversations', 'brain'], 3],
    ['but for its transcripts', ['conversations'], 1],
  ])('%s is shown with its tokens, from the rows that were kept', async (_, gone, keptFiles) => {
    const place = join(folder, `kept-${keptFiles}`)
    const conversations = join(place, '.gemini', CONVERSATION_FOLDER)
    mkdirSync(join(place, '.gemini/tmp'), { recursive: true })
    writeAgyConversation(join(place, '.gemini'), agyScript(agyOpening('Will this be kept?')))
    for (const name of readdirSync(conversations, { recursive: true }))
      utimesSync(
        join(conversations, String(name)),
        machineTime(),
        new Date(machineTime().getTime() - 3_600_000),
      )
    const own = ['--home', place, '--cache-dir', join(place, 'cache'), '--data-dir', join(place, 'data')]
    const rowNow = async () => {
      const { stdout } = await runProgram(['list', '--json', ...own])
      return (JSON.parse(stdout) as SessionList).sessions[0]
    }
    const before = await rowNow()
    const keep = await runProgram(['keep', 'on', ...own])
    expect(keep.code, keep.stderr).toBe(0)
    for (const name of gone) rmSync(join(conversations, name), { recursive: true })
    const row = await rowNow()
    expect(row).toMatchObject({
      ...{ key: before?.key, title: before?.title, project: before?.project, counts: before?.counts },
      ...{ usage: before?.usage, models: before?.models, issues: 0, sessionId: AGY_ID },
    })
    expect(row?.usage?.total).toBe(13_860)
    expect(row?.deletedSeen !== null).toBe(keptFiles === 3)
    expect(row?.files.map(({ format }) => format)).toEqual(['sqlite', 'transcript', 'transcript'])
    expect(row?.files.filter(({ kept }) => kept?.cause === 'deleted')).toHaveLength(keptFiles)
    const shown = await runProgram(['show', row?.key ?? '', ...own])
    expect(shown.stdout).toContain('Will this be kept?')
    expect(shown.stdout).toContain('It uses int().')
    const resume = await runProgram(['resume', row?.key ?? '', '--json', ...own])
    expect((JSON.parse(resume.stdout) as Resume).problems).toContain('deleted')
    const status = await runProgram(['keep', 'status', '--json', ...own])
    expect(JSON.parse(status.stdout)).toMatchObject({ sessions: 1, onlyHere: 1 })
  })

  it('is not kept while it is written, and not at all where it cannot be read', async () => {
    const place = join(folder, 'moving')
    mkdirSync(join(place, '.gemini/tmp'), { recursive: true })
    const path = writeAgyConversation(join(place, '.gemini'), agyScript(agyOpening()), { transcripts: false })
    const own = ['--home', place, '--cache-dir', join(place, 'cache'), '--data-dir', join(place, 'data')]
    const filesNow = async () => {
      const { stdout, stderr, code } = await runProgram(['keep', 'on', '--json', ...own])
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout).files
    }
    expect(await filesNow()).toBe(0)
    rmSync(`${path}-wal`)
    writeFileSync(path, 'no database at all, and long enough to be taken for one'.repeat(100))
    utimesSync(path, machineTime(), new Date(machineTime().getTime() - 3_600_000))
    expect(await filesNow()).toBe(0)
  })
})

describe('a conversation that is being written', { timeout: 60_000 }, () => {
  let program: RunningProgram
  let port = 0
  const events: LiveEvent[] = []
  const aborted = new AbortController()
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Answer

  beforeAll(async () => {
    const own = ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
    const args = ['serve', '--no-open', '--no-token', '--json', '--port', '0', '--home', folder]
    program = startProgram([...args, ...own])
    port = JSON.parse(await program.firstLine).port
    const { body } = await fetch(`http://127.0.0.1:${port}/api/events`, { signal: aborted.signal })
    const read = async () => {
      for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
        for (const [, json = ''] of text.matchAll(/^data: (.*)$/gm)) events.push(JSON.parse(json))
    }
    read().catch(() => {})
  })
  afterAll(async () => {
    aborted.abort()
    program.child.kill()
    await program.finished
  })

  it('shows each step soon after it was committed, and is of its project', async () => {
    const staged = join(folder, 'staged')
    const sizes: number[] = []
    const afterStep = (path: string) => sizes.push(statSync(`${path}-wal`).size)
    const script = agyScript(agyOpening('Is anybody writing?'), { id: LIVE_ID })
    const source = writeAgyConversation(staged, script, { transcripts: false, database: { afterStep } })
    const target = join(home, CONVERSATION_FOLDER, 'conversations', `${LIVE_ID}.db`)
    const log = readFileSync(`${source}-wal`)
    copyFileSync(source, target)
    writeFileSync(`${target}-wal`, log.subarray(0, sizes[0]))

    const rowNow = async () =>
      (await get<SessionList>('/api/sessions?limit=50')).sessions.find(
        ({ sessionId }) => sessionId === LIVE_ID,
      )
    const { key } = await vi.waitUntil(rowNow, { timeout: 60_000 })
    expect((await rowNow())?.project.path).toBe(WORKSPACE)
    const texts = async () => {
      const page = await get<MessagePage>(`/api/sessions/${key}/messages`)
      return page.messages.flatMap(({ content }) =>
        content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
      )
    }
    expect(await texts()).toEqual(['Is anybody writing?'])
    events.length = 0
    appendFileSync(`${target}-wal`, log.subarray(sizes[0]))
    await vi.waitUntil(async () => (await texts()).includes('It uses `int()`.'), { timeout: 60_000 })
    expect(events).toContainEqual(expect.objectContaining({ kind: 'changed', sessionKey: key }))
    await vi.waitUntil(async () => (await rowNow())?.live === true, { timeout: 60_000 })
    // The request for its title also counts there.
    const cost = await get<CostReport>(`/api/sessions/${key}/cost`)
    expect([cost.usage, cost.caveat]).toEqual([
      (await rowNow())?.usage,
      'API list price, not what a subscription was charged.',
    ])
    const { projects } = await get<ProjectList>('/api/projects')
    expect(projects.map(({ path }) => path).sort()).toEqual([WORKSPACE, '/home/someone/typed'])
  })
})
