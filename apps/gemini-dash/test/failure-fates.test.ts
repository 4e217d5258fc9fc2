import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Handover, MessagePage, SearchResult, SessionDetail, SessionList } from '@gemini-dash/api'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type SessionSummary, sessionChangesSchema } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const DEMO = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const WAIT = { timeout: 60_000, interval: 100 }
/** Long enough to be left in the file while a session is read. */
const LONG = 'a line of the build that nobody reads\n'.repeat(60)

/** Writes what Gemini CLI 0.61 would have recorded, line by line. */
class Recording {
  readonly path: string
  #lines = 0

  constructor(home: string, id: string) {
    const chats = join(home, '.gemini', 'tmp', 'webshop', 'chats')
    mkdirSync(chats, { recursive: true })
    this.path = join(chats, `session-2026-11-20T10-00-${id.slice(0, 8)}.jsonl`)
    const time = this.#time()
    const head = { sessionId: id, projectHash: 'f'.repeat(64), startTime: time, lastUpdated: time }
    writeFileSync(this.path, `${JSON.stringify(head)}\n`)
  }

  ask(text: string): this {
    return this.#add({ type: 'user', content: [{ text }] })
  }

  answer(content: string): this {
    return this.#add({ type: 'gemini', model: 'gemini-2.5-pro', content })
  }

  run(command: string, exitCode: number): this {
    const end = exitCode === 0 ? '' : `\nExit Code: ${exitCode}`
    return this.call('run_shell_command', { command }, `Output: ${LONG}${end}\nProcess Group PGID: 7`)
  }

  call(name: string, args: object, output: string): this {
    const id = `call-${this.#lines}`
    const result = [{ functionResponse: { id, name, response: { output } } }]
    const call = { id, name, args, status: 'success', timestamp: this.#time(), result }
    return this.#add({ type: 'gemini', model: 'gemini-2.5-pro', content: '', toolCalls: [call] })
  }

  #add(fields: object): this {
    this.#lines += 1
    const row = { id: `m${this.#lines}`, timestamp: this.#time(), ...fields }
    appendFileSync(this.path, `${JSON.stringify(row)}\n`)
    return this
  }

  #time(): string {
    return new Date(Date.UTC(2026, 10, 20, 10, 0, this.#lines)).toISOString()
  }
}

const edit = (text: string) =>
  ['replace', { file_path: 'a.ts', old_string: 'x', new_string: text }, 'ok'] as const

describe('a broken build under an answer that says that all works', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
    new Recording(folder, 'b0b0b0b0-build')
      .ask('Round the prices')
      .run('npm run build', 0)
      .call(...edit('a'))
      .call(...edit('b'))
      .call(...edit('c'))
      .run('npm run build', 2)
      .run('npm run build', 2)
      .run('npm test', 0)
      .answer('All works now.')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const VERDICT = 'Still failing: `npm run build` (exit 2)'
  const COUNT = '2 failed, still failing'
  const ask = (...args: string[]) =>
    runProgram([
      ...args,
      '--home',
      folder,
      '--cache-dir',
      join(folder, 'cache'),
      '--data-dir',
      join(folder, 'data'),
    ])

  test('T1: is still failing in list, show, and what programs are told, cold and from the cache', async () => {
    for (const _ of ['cold', 'warm']) {
      const { sessions } = JSON.parse((await ask('list', '--json')).stdout) as SessionList
      expect(sessions.map(({ verdict, outcome, fates }) => [verdict?.text, outcome, fates])).toEqual([
        [
          VERDICT,
          { kind: 'error', fate: 'stillFailing', text: VERDICT, messageKey: 'm7' },
          { laterSucceeded: 0, stillFailing: 2, neverRerun: 0 },
        ],
      ])
    }
    const shown = (await ask('show', 'b0b0b0b0')).stdout
    expect(shown).toMatch(
      /\nx Still failing: `npm run build` \(exit 2\)\.\n {2}Worked at [\d:]{8}, failed at [\d:]{8}, 3 edits in between:\n {2}a\.ts\n.*, \d+ tool calls \(2 failed, still failing\), /,
    )
    expect(shown.match(/exit 2, still failing$/gm)).toHaveLength(2)
    const { messages } = JSON.parse((await ask('show', 'b0b0b0b0', '--json')).stdout) as MessagePage
    const worked = { messageKey: 'm2', timestamp: '2026-11-20T10:00:01.000Z' }
    expect(messages.flatMap(({ toolCalls }) => toolCalls.flatMap(({ fate }) => fate ?? []))).toEqual([
      { kind: 'stillFailing', worked, succeeded: null },
      { kind: 'stillFailing', worked, succeeded: null },
    ])
    const written = await ask('export', 'b0b0b0b0')
    expect(written.stdout.match(/\(failed, exit 2, still failing\)/g)).toHaveLength(2)
  })

  test('T1: is still failing in the answers of the MCP server', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        ...[join(inject('program'), 'cli.js'), 'mcp', '--home', folder],
        ...['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')],
      ],
      env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'mia') },
    })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const tool = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify((await client.callTool({ name, arguments: args })).content)
    expect(await tool('list_sessions', {})).toContain(VERDICT)
    expect(await tool('get_session', { key: 'b0b0b0b0' })).toContain(COUNT)
    expect(await tool('get_messages', { key: 'b0b0b0b0' })).toContain('failed, still failing')
    await client.close()
  })

  test('shows its edits and commands in their order, and what was edited between the run that worked and the one that failed', async () => {
    const { stdout } = await ask('show', 'b0b0b0b0', '--changes')
    const lines = stdout.split('\n').map((line) => line.replace(/\d\d:\d\d:\d\d/g, 'T').trimEnd())
    expect(lines.filter((line) => /^ {2}T/.test(line))).toEqual([
      '  T  ok    npm run build',
      ...Array(3).fill('  T  edit  a.ts  +1 -1  Unchanged since'),
      '  T  x     npm run build  failed, exit 2',
      '  T  x     npm run build  failed, exit 2',
      '  T  ok    npm test',
    ])
    expect(lines).toContain('            Worked at T, failed at T, 3 edits in between: a.ts')
    expect(lines.filter((line) => line.includes('Not rerun after this'))).toEqual([
      '            Not rerun after this. Still failing when the session ended.',
    ])
    expect(lines).toContain("Files changed by shell commands aren't tracked.")
    const json = sessionChangesSchema
      .extend({ schemaVersion: z.literal(1) })
      .parse(JSON.parse((await ask('show', 'b0b0b0b0', '--changes', '--json')).stdout))
    expect(json.counts).toMatchObject({ edits: 3, commands: 4, failedCommands: 2 })
    expect((await ask('show', 'b0b0b0b0', '--changes', '--last', '1')).code).toBe(2)
  })

  test('T2: is handed over as it failed: by its failures and its runs, and not as what worked', async () => {
    const { stdout } = await ask('handover', 'b0b0b0b0')
    const errors = sectionOf(stdout, 'Open failures')
    expect(errors.match(/^- .*$/gm)).toEqual([
      '- `npm run build` (Shell, still failing, exit 2, 2 of 3 runs failed, 10:00)',
      '- It said:',
    ])
    expect(errors).toContain('a line of the build that nobody reads')
    expect(sectionOf(stdout, 'Commands that worked').trim()).toBe('- `npm test`')
  })

  function sectionOf(text: string, title: string): string {
    return text.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  }
})

describe('of sessions that are written while they are looked at', () => {
  let folder: string
  const servers: TestServer[] = []
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (isWatching: boolean) => {
    const server = await openTestServer({ home: folder, isWatching })
    servers.push(server)
    return server
  }
  const get = async <Answer>(server: TestServer, path: string): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { cookie: server.cookie },
    })
    expect(response.status, path).toBe(200)
    return (await response.json()) as Answer
  }
  const rowIn = async (server: TestServer) => (await get<SessionList>(server, '/api/sessions')).sessions[0]
  const answersOf = async (server: TestServer, { key, fates, failures }: SessionSummary) => ({
    ...{ fates, failures },
    figures: (await get<SessionDetail>(server, `/api/sessions/${key}`)).figures.failedCalls,
    messages: (await get<MessagePage>(server, `/api/sessions/${key}/messages?limit=1000`)).messages,
    handover: sectionsWithoutHead((await get<Handover>(server, `/api/sessions/${key}/handover`)).text),
    hits: (await get<SearchResult>(server, '/api/search?q=build%20is:error')).total,
  })
  /** A process that saw it grow reports that it is still being written. */
  const sectionsWithoutHead = (text: string) => text.slice(text.indexOf('\n## '))

  test('T1: each fate is that of a fresh start after every line', async () => {
    const log = new Recording(folder, 'a1a1a1a1-grows').ask('Build it')
    const lookers = await open(true)
    const grow: [() => void, object][] = [
      [() => log.run('npm run build', 1), { laterSucceeded: 0, stillFailing: 0, neverRerun: 1 }],
      [() => log.run('npm test', 0), { laterSucceeded: 0, stillFailing: 0, neverRerun: 1 }],
      [() => log.run('npm run build', 1), { laterSucceeded: 0, stillFailing: 2, neverRerun: 0 }],
      [() => log.run('npm run build', 0), { laterSucceeded: 2, stillFailing: 0, neverRerun: 0 }],
      [() => log.run('npm run build', 3), { laterSucceeded: 2, stillFailing: 1, neverRerun: 0 }],
    ]
    for (const [write, fates] of grow) {
      write()
      await vi.waitUntil(async () => {
        return JSON.stringify((await rowIn(lookers))?.fates) === JSON.stringify(fates)
      }, WAIT)
      const fresh = await open(false)
      const [row, freshRow] = [await rowIn(lookers), await rowIn(fresh)]
      if (row === undefined || freshRow === undefined) throw new Error('no row')
      const known = await answersOf(lookers, row)
      expect(known.fates).toEqual(fates)
      expect(await answersOf(fresh, freshRow)).toEqual(known)
    }
  })
})

test('T1: no session of the demo has finished whose last run of a command failed', async () => {
  const server = await openTestServer({ home: DEMO })
  try {
    const { sessions } = await server.store.sessions({ kind: 'all', limit: 1_000, sort: 'recent' } as never)
    const importer = sessions.find(({ title }) => title.startsWith('Port the importer'))
    expect(importer?.outcome).toMatchObject({
      kind: 'error',
      fate: 'neverRerun',
      text: expect.stringMatching(
        /^7 failed commands were never rerun\. Last: `[^`]*pytest[^`]*` \(exit 1\)$/,
      ),
    })
    for (const { key, outcome } of sessions) {
      const lastRuns = new Map<string, boolean>()
      for (const { agentKey, toolCalls, superseded } of (await server.store.content.allMessages(key)) ?? [])
        for (const call of toolCalls)
          if (
            call.name === 'run_shell_command' &&
            (call.failed || call.status === 'success') &&
            superseded !== 'rewound'
          )
            lastRuns.set(`${agentKey} ${JSON.stringify(call.args)}`, call.failed)
      if ([...lastRuns.values()].includes(true)) expect([key, outcome?.kind]).not.toEqual([key, 'finished'])
    }
  } finally {
    await server.close()
  }
})
