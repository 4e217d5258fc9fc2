import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sumUsage } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import {
  AGY_ID,
  AGY_PARENT_ID,
  agyOpening,
  agyScript,
  agyUsage,
} from '../../../fixtures/antigravity/agy-conversation.ts'
import type { AgyEvent } from '../../../fixtures/antigravity/agy-script.ts'
import {
  AGY_CANARY,
  writeAgyCanaries,
  writeAgyConversation,
} from '../../../fixtures/antigravity/write-agy-home.ts'
import { conversationKey } from '../src/index.ts'
import { scanConversations } from '../src/scan-conversations.ts'
import { lineOf, readAgySession, withHome, writeAndRead } from './read-home.ts'

const OPENING = [
  'user/human: Why does the total round down?',
  'info/injected: Conversation history',
  'gemini/model:  (Looking around) run_command=success/0:calc.py\ncart.py',
  'info/cli: conversation named: Rounding of totals',
  'gemini/model: It uses `int()`.',
]

describe('a conversation', () => {
  it('is read with its title, workspace, models, tokens per call and times', async () => {
    const session = await writeAndRead(agyScript(agyOpening()))
    expect(session.messages.map(lineOf)).toEqual(OPENING)
    expect(session).toMatchObject({
      ...{ source: 'antigravity-cli', key: conversationKey(AGY_ID), sessionId: AGY_ID, kind: 'main' },
      ...{ title: 'Rounding of totals', titleSource: 'summary', workspace: '/home/someone/shop' },
      ...{
        startTime: '2026-09-10T15:14:14.620Z',
        lastUpdated: '2026-09-10T15:14:21.470Z',
        issues: [],
        drift: [],
      },
    })
    expect(session.messages.map(({ model, usage }) => [model, usage?.input, usage?.total])).toEqual([
      ...[
        [null, undefined, undefined],
        [null, undefined, undefined],
      ],
      ['Gemini 3.5 Flash (Medium)', 6200, 6300],
      ['MODEL_PLACEHOLDER_M50', 1200, 1300],
      ['Gemini 3.5 Flash (Medium)', 6200, 6260],
    ])
    expect(session.messages[2]?.usage).toEqual({
      ...{ input: 6200, cached: 5000, output: 60, thoughts: 40, tool: 0, total: 6300 },
      ...{ calls: 1, callsWithoutTokens: 0 },
    })
    expect(session.files.map(({ role, format }) => [role, format])).toEqual([
      ['current', 'sqlite'],
      ['twin', 'transcript'],
      ['twin', 'transcript'],
    ])
  })

  it('has a title that a person gave, artifacts, and what the folder is called where none is recorded', async () => {
    const script = agyScript([...agyOpening(), { kind: 'prompt', text: 'And now?' }], {
      ...{
        workspace: null,
        annotation: 'Größe: "Euro"',
        artifacts: { 'plan.md': '# Plan', 'page.html': '<p>' },
      },
    })
    const session = await writeAndRead(script)
    expect(session).toMatchObject({
      title: 'Größe: "Euro"',
      titleSource: 'user',
      workspace: '/home/someone/typed',
    })
    expect(session.artifacts).toEqual([
      {
        ...{ name: 'plan.md', path: `antigravity-cli/brain/${AGY_ID}/plan.md`, text: '# Plan' },
        ...{ type: 'ARTIFACT_TYPE_OTHER', summary: 'About plan.md', updatedAt: '2026-09-10T15:20:00Z' },
      },
    ])
  })

  it.each([
    ['file:///C:/Users/Some%20one/x', 'C:/Users/Some one/x'],
    ['file:///c:/Users/x', 'C:/Users/x'],
    ['file://C:/Users/x', 'C:/Users/x'],
    ['vscode-remote://ssh/home/x', '/home/someone/typed'],
  ])('knows its folder by the URI %s', async (workspace, path) => {
    const script = agyScript([...agyOpening(), { kind: 'prompt', text: 'And now?' }], { workspace })
    expect((await writeAndRead(script)).workspace).toBe(path)
  })
})

describe('tokens', () => {
  it('of a bad call that was tried again are those of each step, not the sum of their generation', async () => {
    const script = agyScript([
      ...agyOpening(),
      { kind: 'answer', text: '', isBad: true, usage: agyUsage({ input: 10 }) },
      { kind: 'error', text: 'No such tool.', code: 0 },
      { kind: 'answer', text: 'Done.', usage: agyUsage({ input: 20 }) },
    ])
    const { messages } = await writeAndRead(script)
    expect(messages.slice(-3).map(({ usage }) => usage?.input)).toEqual([5010, undefined, 5020])
    expect(messages.at(-1)?.model).toBe('Gemini 3.5 Flash (Medium)')
    expect(sumUsage(messages)).toMatchObject({ calls: 5, callsWithoutTokens: 0 })
  })

  it('of a refused request are none, and it counts as a call', async () => {
    const script = agyScript([
      ...agyOpening(),
      { kind: 'refused' },
      { kind: 'error', text: 'Quota exceeded.', code: 429 },
    ])
    const { messages } = await writeAndRead(script)
    expect(messages.slice(-2).map(lineOf)).toEqual([
      'gemini/model: ',
      'error/cli: [API Error: {"error":{"code":429,"message":"Quota exceeded."}}]',
    ])
    expect(sumUsage(messages)).toMatchObject({ calls: 4, callsWithoutTokens: 1 })
  })

  it('that contradict each other are left out and named', async () => {
    const usage = agyUsage({ output: 7 })
    const session = await writeAndRead(agyScript([...agyOpening(), { kind: 'answer', text: 'x', usage }]))
    expect(session.messages.at(-1)?.usage).toBeNull()
    expect(session.issues.map(({ code, at }) => [code, at])).toEqual([['bad-usage', 'step 6']])
  })

  it('of Claude have the name of the machine, as nobody chose one', async () => {
    const script = agyScript([
      ...agyOpening(),
      { kind: 'answer', text: 'x', usage: agyUsage({ model: 1026 }) },
    ])
    const { messages, models } = await writeAndRead(script)
    expect(messages.at(-1)?.model).toBe('claude-opus-4-6-thinking')
    expect([...models.values()].map(({ chosen, machine }) => [chosen, machine])).toEqual([
      ['Gemini 3.5 Flash (Medium)', 'gemini-3-flash-a'],
      [null, null],
      [null, 'claude-opus-4-6-thinking'],
    ])
  })

  it('that a fork inherited are told by both, so that who has both can count them once', async () => {
    const own = agyOpening()
    const parent = agyScript(own, { id: AGY_PARENT_ID, trajectory: 'parent-trajectory' })
    const fork = agyScript(
      [...own, { kind: 'prompt', text: 'Else?' }, { kind: 'answer', text: 'No.', usage: agyUsage() }],
      {
        forkOf: { conversation: AGY_PARENT_ID, trajectory: 'parent-trajectory', steps: own.length },
      },
    )
    const [origin, copy] = [await writeAndRead(parent), await writeAndRead(fork)]
    expect([origin.forkedFrom, copy.forkedFrom]).toEqual([null, AGY_PARENT_ID])
    const requestsOf = ({ messages }: typeof copy) =>
      messages.flatMap(({ id, timestamp, model, usage }) => (usage ? [{ id, timestamp, model, usage }] : []))
    expect(requestsOf(origin)).toHaveLength(3)
    expect(requestsOf(copy).slice(0, 3)).toEqual(requestsOf(origin))
  })

  it('of a fork without the generations that it inherited have the names of its own', async () => {
    const own = Array.from({ length: 12 }, (_, turn): AgyEvent[] => [
      { kind: 'prompt', text: `Question ${turn}` },
      { kind: 'answer', text: 'Yes.', usage: agyUsage({ model: 1026 }) },
    ]).flat()
    const fork = agyScript(
      [...own, { kind: 'prompt', text: 'Else?' }, { kind: 'answer', text: 'No.', usage: agyUsage() }],
      { forkOf: { conversation: AGY_PARENT_ID, trajectory: 'parent', steps: own.length } },
    )
    const { messages } = await writeAndRead(fork, { database: { areGenerationsOwn: true } })
    const models = messages.flatMap(({ model }) => model ?? [])
    expect([models[0], models.at(-1)]).toEqual(['MODEL_PLACEHOLDER_M26', 'Gemini 3.5 Flash (Medium)'])
  })
})

describe('steps', () => {
  it('of an edit are a real diff of the whole file', async () => {
    const before = `${Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')}\n`
    const after = before.replace('line 9\n', 'line nine\nand more\n')
    const calls = ['replace_file_content', 'write_to_file'].map((name) => ({
      name,
      args: { TargetFile: 'x' },
    }))
    const script = agyScript([
      ...agyOpening(),
      { kind: 'answer', text: '', calls, usage: agyUsage() },
      { kind: 'edit', uri: 'file:///home/someone/a%20b.txt', before, after },
      { kind: 'edit', uri: 'file:///C:/new.txt', before: null, after: 'one\n\ntwo\n' },
    ])
    const { messages } = await writeAndRead(script)
    const [edited, created] = messages.at(-1)?.toolCalls.map(({ display }) => display) ?? []
    expect(edited).toEqual({
      ...{ kind: 'diff', fileName: 'a b.txt', filePath: '/home/someone/a b.txt' },
      ...{ originalContent: before, newContent: after, linesAdded: 2, linesRemoved: 1 },
      ...{ isNewFile: false, isRebuilt: false },
      fileDiff: [
        ...['--- a b.txt', '+++ a b.txt', '@@ -7,7 +7,8 @@', ' line 6', ' line 7', ' line 8', '-line 9'],
        ...['+line nine', '+and more', ' line 10', ' line 11', ' line 12', ''],
      ].join('\n'),
    })
    expect(created).toMatchObject({
      ...{ fileName: 'new.txt', filePath: 'C:/new.txt', originalContent: '', newContent: 'one\n\ntwo\n' },
      ...{ linesAdded: 3, linesRemoved: 0, isNewFile: true },
      fileDiff: '--- new.txt\n+++ new.txt\n@@ -0,0 +1,3 @@\n+one\n+\n+two\n',
    })
  })

  it('of several calls, failures, negative exit codes and unknown tools are joined to their calls', async () => {
    const calls = ['run_command', 'view_file', 'strange_tool', 'run_command'].map((name) => ({
      name,
      args: { a: 1 },
    }))
    const script = agyScript([
      ...agyOpening(),
      { kind: 'answer', text: '', calls, usage: agyUsage() },
      { kind: 'command', command: 'x', output: 'gone', exitCode: -1_073_741_510 },
      { kind: 'failed', error: 'no such file' },
      { kind: 'tool', type: 77, text: 'from a tool of the future' },
      { kind: 'generic', text: 'The command exited with code 3.\nOutput:\nbad' },
      { kind: 'unknown', type: 120 },
    ])
    const session = await writeAndRead(script)
    expect(session.messages.slice(-2).map(lineOf)).toEqual([
      `gemini/model:  run_command=success/-1073741510!:gone view_file=error!:no such file strange_tool=success:unknown run_command=success/3!:bad`,
      'info/cli: [unknown]',
    ])
    expect(JSON.stringify(session.messages.at(-2)?.toolCalls[2]?.output)).toContain(
      'from a tool of the future',
    )
    expect(JSON.stringify(session.messages.at(-1)?.content)).toContain('nobody knows this')
    const file = `antigravity-cli/conversations/${AGY_ID}.db`
    expect(session.drift).toEqual([
      { name: 'type 77', at: 'step 9', count: 1, file },
      { name: 'type 120', at: 'step 11', count: 1, file },
    ])
  })

  it('of an approved plan are one line, with the comment beside it', async () => {
    const uri = `file:///home/someone/.gemini/antigravity-cli/brain/${AGY_ID}/implementation_plan.md`
    const script = agyScript([
      ...agyOpening(),
      { kind: 'prompt', text: '', approved: { uri, comment: 'The user has approved this document.' } },
      { kind: 'prompt', text: '', approved: { uri, comment: 'Split step two.' } },
      { kind: 'prompt', text: 'Go on', approved: { uri, comment: 'Split step three.' } },
    ])
    const expected = [
      'info/cli: approved implementation_plan.md',
      'info/cli: approved implementation_plan.md +Split step two.',
      'user/human: Go on +Split step three.',
    ]
    expect((await writeAndRead(script)).messages.slice(-3).map(lineOf)).toEqual(expected)
    expect((await writeAndRead(script, { database: false })).messages.slice(-3).map(lineOf)).toEqual(expected)
  })

  it('of a later summary mark a compaction, and a prompt that is repeated behind it was not typed', async () => {
    const prompt = 'Why does the total round down?'
    const script = agyScript([
      ...agyOpening(prompt),
      { kind: 'prompt', text: 'Next.' },
      { kind: 'summary', text: 'What was cut.', usage: agyUsage() },
      { kind: 'prompt', text: prompt },
    ])
    const expected = ['user/human: Next.', 'info/injected:  +What was cut.', `user/injected: ${prompt}`]
    const session = await writeAndRead(script)
    expect(session.messages.slice(-3).map(lineOf)).toEqual(expected)
    expect(session.messages.at(-2)?.usage?.calls).toBe(1)
    expect((await writeAndRead(script, { database: false })).messages.slice(-3).map(lineOf)).toEqual(expected)
  })

  it('of a command in the background end with the message about its task where only the transcript tells', async () => {
    const script = agyScript([
      ...agyOpening(),
      { kind: 'answer', text: '', calls: [{ name: 'run_command', args: {} }], usage: agyUsage() },
      { kind: 'command', command: 'sleep', output: 'slept', exitCode: 4, background: true },
      { kind: 'task-message', step: 7, text: 'It exited with code 4.' },
    ])
    const call = async (database: false | undefined) =>
      (await writeAndRead(script, { database })).messages
        .at(-2)
        ?.toolCalls.map(({ status, exitCode }) => [status, exitCode])
    expect(await call(undefined)).toEqual([['success', 4]])
    expect(await call(false)).toEqual([['success', 4]])
  })
})

describe('a rewind', () => {
  const script = agyScript([
    ...agyOpening(),
    { kind: 'prompt', text: 'Wrong way' },
    { kind: 'answer', text: 'Indeed.', usage: agyUsage() },
    { kind: 'rewind', to: 6 },
    { kind: 'prompt', text: 'Right way' },
    { kind: 'answer', text: 'Yes.', usage: agyUsage() },
  ])
  const expected = [
    'rewound user/human: Wrong way',
    'rewound gemini/model: Indeed.',
    'user/human: Right way',
    'gemini/model: Yes.',
  ]

  it('keeps what the database no longer has, in its place', async () => {
    const session = await writeAndRead(script)
    expect(session.messages.slice(5).map(lineOf)).toEqual(expected)
    expect(session.messages.slice(5).map(({ key }) => key.replace(/^f00d[^:]*/, 'own'))).toEqual([
      'step:6',
      'step:7',
      'own:6',
      'own:7',
    ])
  })

  it('is known by the numbers of steps where only the transcript is there', async () => {
    const session = await writeAndRead(script, { database: false })
    expect(session.messages.slice(4).map(lineOf)).toEqual(expected)
    expect(session.messages.slice(4).map(({ key }) => key)).toEqual([
      'step:6',
      'step:7',
      'step:6~2',
      'step:7~2',
    ])
  })
})

describe('without a readable database', () => {
  const withoutTitle = OPENING.filter((line) => !line.includes('named'))
  const codes = ({ issues }: { issues: { code: string }[] }) => issues.map(({ code }) => code)

  it('the transcripts replace it, under the same key, with the model that the prompt says', async () => {
    const session = await writeAndRead(agyScript(agyOpening()), { database: false })
    expect(session.messages.map(lineOf)).toEqual(withoutTitle)
    expect(session.key).toBe(conversationKey(AGY_ID))
    expect(session.messages[2]?.model).toBe('Gemini 3.5 Flash (Medium)')
    expect(codes(session)).toEqual(['from-transcript'])
    expect(session.files.map(({ role, format }) => [role, format])).toEqual([
      ['current', 'transcript'],
      ['twin', 'transcript'],
    ])
  })

  it.each([
    ['a later version', { userVersion: 2 }, ['newer-format', 'from-transcript']],
    ['no database', false as const, ['from-transcript']],
  ])('%s: says so', async (_, database, expected) => {
    const session = await writeAndRead(agyScript(agyOpening()), { database })
    expect(codes(session)).toEqual(expected)
    expect(session.messages.map(lineOf)).toEqual(withoutTitle)
  })

  it('the short transcript fills what the full one lost, and is marked as cut', async () => {
    const long = 'x'.repeat(9000)
    const script = agyScript([...agyOpening(long), { kind: 'prompt', text: 'Short.' }])
    const joined = await writeAndRead(script, { database: false, transcripts: { fullFrom: 3 } })
    expect(joined.messages).toHaveLength(5)
    expect(joined.messages[0]?.content[0]).toMatchObject({ text: expect.stringContaining('<truncated') })
    expect(codes(joined)).toEqual(['from-transcript', 'shortened'])
    const headless = await writeAndRead(script, {
      database: false,
      transcripts: { fullFrom: 3, only: 'full' },
    })
    expect(headless.issues.find(({ code }) => code === 'head-missing')?.at).toBe('step 3')
    const whole = await writeAndRead(script, { transcripts: { only: 'full', fullFrom: 3 } })
    expect(whole.messages).toHaveLength(6)
    expect(whole.issues).toEqual([])
  })

  it('chunks alone are joined, though they are cut in the middle of lines', async () => {
    const events = [
      ...agyOpening(),
      { kind: 'answer' as const, text: 'ß'.repeat(150_000), usage: agyUsage() },
    ]
    const session = await writeAndRead(agyScript(events), {
      database: false,
      transcripts: { areChunksOnly: true },
    })
    expect(session.messages.at(-1)?.content).toEqual([{ kind: 'text', text: 'ß'.repeat(150_000) }])
    expect(codes(session)).toEqual(['from-transcript'])
  })

  it('a torn line is left out and named', async () => {
    const session = await writeAndRead(agyScript(agyOpening()), {
      database: false,
      transcripts: { isTorn: true },
    })
    expect(codes(session)).toEqual(['torn-tail', 'from-transcript'])
    expect(session.messages.map(lineOf)).toEqual(withoutTitle)
  })

  it('an encrypted conversation is a row with the title that others know; beside a database it is a copy', async () => {
    const script = agyScript([...agyOpening(), { kind: 'prompt', text: 'Second prompt' }])
    const alone = await writeAndRead(script, { database: false, transcripts: false, hasEncrypted: true })
    expect(alone).toMatchObject({ title: 'Second prompt', titleSource: 'prompt', messages: [] })
    // dated by its own prompt; the first one in the history does not say whose it is
    const time = '2026-09-10T15:14:22.840Z'
    expect([alone.startTime, alone.lastUpdated]).toEqual([time, time])
    expect(codes(alone)).toEqual(['encrypted'])
    expect(codes(await writeAndRead(script, { hasEncrypted: true }))).toEqual([])
  })

  it('one broken row is replaced by that of the transcript, and all others keep their tokens', async () => {
    const session = await writeAndRead(agyScript(agyOpening()), { database: { brokenStep: 5 } })
    expect(session.messages.map(lineOf)).toEqual(OPENING)
    expect(session.messages.map(({ usage }) => usage?.total)).toEqual([
      undefined,
      undefined,
      6300,
      1300,
      undefined,
    ])
    expect(session.issues.map(({ code, at }) => [code, at])).toEqual([['bad-row', 'step 5']])
  })

  it('an empty file is a conversation that holds nothing yet', async () => {
    await withHome(async (home) => {
      mkdirSync(join(home, 'antigravity-cli/conversations'), { recursive: true })
      writeFileSync(join(home, `antigravity-cli/conversations/${AGY_ID}.db`), '')
      const session = await readAgySession(home, AGY_ID)
      expect(codes(session)).toEqual(['empty-file'])
      expect(session.messages).toEqual([])
    })
  })
})

describe('names of models', () => {
  it('change where the person chose otherwise in between, under one number', async () => {
    const answers = Array.from({ length: 9 }, (_, at) => ({
      kind: 'answer' as const,
      text: String(at),
      usage: agyUsage(),
    }))
    const script = agyScript([...agyOpening(), ...answers])
    const chosen = (call: number) => (call < 5 ? 'Gemini 3.5 Flash (Medium)' : 'Gemini 3.5 Flash (High)')
    const { messages } = await writeAndRead(script, { database: { chosenAt: chosen } })
    const names = messages.filter(({ origin }) => origin === 'model').map(({ model }) => model)
    expect(names).toEqual(names.map((_, call) => chosen(call)))
  })
})

describe('sub-agents', () => {
  it('are named by the database of the child, by the file beside the parent, and by the call', async () => {
    const script = agyScript(
      [
        ...agyOpening(),
        { kind: 'answer', text: '', calls: [{ name: 'invoke_subagent', args: {} }], usage: agyUsage() },
        { kind: 'generic', text: `Started: {"conversationId": "${AGY_PARENT_ID}"}` },
      ],
      { parent: AGY_PARENT_ID },
    )
    await withHome(async (home) => {
      writeAgyConversation(home, script)
      const folder = join(home, `antigravity-cli/brain/${AGY_ID}/.system_generated/subagents`)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${AGY_PARENT_ID}.json`), '{}')
      const session = await readAgySession(home, AGY_ID)
      expect(session).toMatchObject({
        kind: 'subagent',
        parentSessionId: AGY_PARENT_ID,
        startedIds: [AGY_PARENT_ID],
      })
      expect(session.messages.at(-1)?.toolCalls[0]?.agentId).toBe(AGY_PARENT_ID)
    })
  })
})

describe('odd files', () => {
  it('deep arguments stay a text', async () => {
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
    const script = agyScript([
      ...agyOpening(),
      { kind: 'answer', text: '', calls: [{ name: 'x', args: { deep } }], usage: agyUsage() },
    ])
    for (const database of [undefined, false] as const) {
      const session = await writeAndRead(script, { database })
      expect(typeof session.messages.at(-1)?.toolCalls[0]?.args).toBe('string')
    }
  })

  it.skipIf(process.platform === 'win32')(
    'pipes, links and folders are named and never opened for long',
    async () => {
      await withHome(async (home) => {
        const path = writeAgyConversation(home, agyScript(agyOpening()))
        const logs = join(home, `antigravity-cli/brain/${AGY_ID}/.system_generated/logs`)
        const full = join(logs, 'transcript_full.jsonl')
        rmSync(full)
        execFileSync('mkfifo', [full])
        rmSync(join(logs, 'chunks'), { recursive: true })
        rmSync(`${path}-wal`)
        rmSync(path)
        symlinkSync('/etc/hosts', path)
        const session = await readAgySession(home, AGY_ID)
        expect(session.issues.map(({ code, file }) => [code, file.split('/').at(-1)])).toEqual([
          ['not-a-file', `${AGY_ID}.db`],
          ['not-a-file', 'transcript_full.jsonl'],
          ['from-transcript', 'transcript.jsonl'],
        ])
        expect(session.messages).toHaveLength(4)
        // Without the others it still has a row.
        rmSync(path)
        rmSync(join(logs, 'transcript.jsonl'))
        const { conversations } = await scanConversations([{ path: home }])
        expect(conversations).toMatchObject([{ id: AGY_ID, files: [] }])
        expect((await readAgySession(home, AGY_ID)).issues.map(({ code }) => code)).toContain('not-a-file')
      })
    },
  )

  it('nothing else in the folder is read, and nothing is written', async () => {
    await withHome(async (home) => {
      writeAgyCanaries(home)
      writeAgyConversation(home, agyScript(agyOpening()), { hasEncrypted: true })
      const before = listTree(home)
      const session = await readAgySession(home, AGY_ID)
      expect(JSON.stringify(session)).not.toContain(AGY_CANARY)
      expect(JSON.stringify(session)).not.toContain('CANARY-PROMPT')
      expect(listTree(home)).toEqual(before)
    })
  })
})

function listTree(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(home, name))
      return `${name} ${size} ${mtimeMs}`
    })
}
