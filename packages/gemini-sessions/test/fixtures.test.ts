import { describe, expect, it } from 'vitest'
import { type Message, messageSchema, type ParsedFile, parseSessionFile } from '../src/index.ts'
import { readFixtureFile, readFixtureFiles } from './session-files.ts'

/** Checked by hand against the files. Counts are of live messages; superseded ones by cause. */
const EXPECTED = [
  // home, file, prompts, answers, calls, failed calls, superseded
  ['0.4.1', '45696499', 1, 2, 0, 0, {}],
  ['0.11.3', '30-7ff5e7ae', 1, 2, 14, 3, {}],
  ['0.11.3', '34ddd30f', 1, 2, 1, 0, {}],
  ['0.11.3', 'bd13d6e9', 1, 1, 2, 2, {}],
  ['0.20.2-compress', '20-55-c3c6030a', 2, 2, 0, 0, {}],
  ['0.25.0', '444d93ae', 1, 2, 13, 3, {}],
  ['0.30.1-interactive', '20-48-df894ac7', 4, 3, 0, 0, {}],
  ['0.30.1-interactive', '5106fe62', 2, 2, 9, 1, {}],
  ['0.38.2', 'ca41b954', 1, 2, 13, 3, {}],
  ['0.39.1', '1e2aa8e6', 1, 2, 13, 3, {}],
  ['0.39.1', 'b41afaf3', 2, 2, 0, 0, {}],
  ['0.45.2', 'db4de076', 1, 1, 5, 2, {}],
  ['0.61.0', '20-30-bb86bf17', 1, 2, 12, 3, {}],
  ['0.61.0', '673c2aa9', 0, 0, 0, 0, { aborted: 1 }],
  ['0.61.0-interactive', '825a45ec', 1, 1, 0, 0, { compacted: 8, replaced: 4, aborted: 1 }],
  ['0.61.0-interactive', 'b216b973', 2, 2, 0, 0, { rewound: 5 }],
  ['0.61.0-interactive', 'e4d99b26', 2, 2, 7, 1, { replaced: 8, aborted: 2 }],
  ['0.61.0-resumed', '20-30-bb86bf17', 2, 3, 12, 3, {}],
  ['0.61.0-resumed', '20-43-bb86bf17', 0, 0, 0, 0, {}],
] as const

describe('real files of twelve versions', () => {
  it.each(EXPECTED)('%s %s', (home, piece, prompts, answers, calls, failed, superseded) => {
    const { messages } = parse(home, piece)
    const live = messages.filter((message) => message.superseded === null)
    const liveCalls = live.flatMap((message) => message.toolCalls)
    expect({
      prompts: live.filter((message) => message.origin === 'human').length,
      answers: live.filter((message) => message.origin === 'model' && message.content.length > 0).length,
      calls: liveCalls.length,
      failed: liveCalls.filter((call) => call.failed).length,
      superseded: countCauses(messages),
    }).toEqual({ prompts, answers, calls, failed, superseded })
  })

  it.each(readFixtureFiles())('$path has only what the model allows, nothing unknown, no issue', (file) => {
    const parsed = parseSessionFile(file)
    for (const message of parsed.messages) messageSchema.parse(message)
    expect(parsed.issues).toEqual([])
    expect(parsed.drift).toEqual([])
    expect(parsed.isDamaged).toBe(false)
    expect(parsed.messages.every(({ timestamp }) => timestamp !== null)).toBe(true)
    expect(new Set(parsed.messages.map(({ key }) => key)).size).toBe(parsed.messages.length)
  })
})

describe('/compress in 0.61.0', () => {
  const { messages } = parse('0.61.0-interactive', '825a45ec')

  it('keeps what it dropped, in its place, with the notices beside it', () => {
    expect(messages.slice(0, 5).map(({ origin, superseded }) => [origin, superseded])).toEqual([
      ['injected', null],
      ['human', 'compacted'],
      ['model', 'compacted'],
      ['human', 'compacted'],
      ['cli', 'replaced'],
    ])
  })

  it('takes the snapshot and its partner for the CLI, not for people or the model', () => {
    const snapshot = messages.findIndex((message) => textOf(message).startsWith('<state_snapshot>'))
    expect(
      messages.slice(snapshot, snapshot + 2).map(({ origin, superseded }) => [origin, superseded]),
    ).toEqual([
      ['injected', null],
      ['injected', null],
    ])
  })

  it('marks the prompt of the refused request as aborted and keeps the error live', () => {
    const refused = messages.find((message) => textOf(message) === 'Make the server fail')
    expect(refused?.superseded).toBe('aborted')
    expect(messages.at(-2)).toMatchObject({ type: 'error', origin: 'cli', superseded: null })
  })

  it('keeps the last of the directories', () => {
    expect(parse('0.61.0-interactive', '825a45ec').header.directories).toEqual([
      '/tmp/demo/bookshop',
      '/tmp/demo/other',
    ])
  })
})

describe('an aborted turn in 0.61.0', () => {
  const { messages } = parse('0.61.0-interactive', 'e4d99b26')
  const copies = messages.filter((message) => message.copyOf !== null)

  it('recognises the rows under new ids as copies of what they repeat', () => {
    expect(copies.map(({ id, copyOf }) => [id.slice(0, 8), copyOf?.slice(0, 8)])).toEqual([
      ['bf1d5fbe', '9933a765'],
      ['d92ce62a', '84d4b8ae'],
      ['05a6756e', '69e55246'],
      ['55bbf14e', 'f7ebaacf'],
      ['1aa184cb', 'af6eaec0'],
      ['0234a331', '2e3a13e7'],
    ])
  })

  it('draws a copy with the thoughts, calls and model of its original, and counts no tokens for it', () => {
    const answer = copies[1]
    expect(answer).toMatchObject({ model: 'gemini-2.5-pro', usage: null, superseded: null })
    expect(answer?.thoughts).toHaveLength(2)
    expect(answer?.toolCalls.map(({ name, status, display }) => [name, status, display?.kind])).toEqual([
      ['write_todos', 'success', 'todos'],
      ['read_file', 'success', undefined],
      ['list_directory', 'success', 'list'],
    ])
  })

  it('takes the merged context off the prompt', () => {
    expect(copies[0]?.content).toEqual([{ kind: 'text', text: 'Fix the rounding in the price code.' }])
    expect(copies[0]?.attachments[0]?.text).toMatch(/^<session_context>[\s\S]*<\/session_context>$/)
  })

  it('shows the turn that was really taken back as aborted, with the refused proposal', () => {
    const aborted = messages.filter((message) => message.superseded === 'aborted')
    expect(aborted.map(({ origin }) => origin)).toEqual(['tool-result', 'model'])
    expect(aborted[1]?.toolCalls.map(({ status, display }) => [status, display?.kind])).toEqual([
      ['cancelled', 'diff'],
      ['cancelled', 'diff'],
    ])
  })
})

describe('a session of 0.61.0 that was resumed', () => {
  const { messages } = parse('0.61.0-resumed', '20-30-bb86bf17')

  it('is not poorer than before: same text, thoughts, calls and results', () => {
    // The context message is the CLI's and was renewed on resume.
    const before = parse('0.61.0', '20-30-bb86bf17').messages.slice(1)
    const known = messages.filter((message) => before.some(({ id }) => id === message.id))
    expect(known.map(withoutPlace)).toEqual(before.map(withoutPlace))
  })

  it('finds each result once although up to three places hold it', () => {
    const calls = messages.flatMap((message) => message.toolCalls)
    const outputs = calls.map(({ output }) => (output.kind === 'text' ? output.text : output.kind))
    expect(new Set(outputs).size).toBe(outputs.length - 1)
    expect(
      messages.filter(({ origin }) => origin === 'tool-result').every(({ content }) => content.length === 0),
    ).toBe(true)
  })
})

describe('what only some versions do', () => {
  it('0.61.0 buries a session whose only request was refused; the last state with a prompt is drawn', () => {
    const parsed = parse('0.61.0', '673c2aa9')
    expect(parsed.buried).toBe(true)
    expect(parsed.drawnKeys).toEqual(parsed.messages.map(({ key }) => key))
  })

  it('0.61.0 leaves a stub of context when it resumes', () => {
    expect(parse('0.61.0-resumed', '20-43-bb86bf17')).toMatchObject({ isStub: true, buried: false })
  })

  it('0.20.2 ends a compressed file with an empty notice', () => {
    expect(parse('0.20.2-compress', '20-55').endsWithCompress).toBe(true)
    expect(parse('0.20.2-compress', '20-56').endsWithCompress).toBe(false)
  })

  it('0.11.3 mixes the prompt of its sub-agent into the parent, and 0.25.0 does', () => {
    for (const [home, piece] of [
      ['0.11.3', '34ddd30f'],
      ['0.25.0', '882d74da'],
    ] as const) {
      const { messages } = parse(home, piece)
      const call = messages.flatMap((message) => message.toolCalls)[0]
      expect(messages.map(({ agentKey }) => agentKey)).toEqual([null, null, call?.id, null, null])
      expect(messages[2]?.origin).toBe('injected')
    }
  })

  it('0.11.3 drew diffs and todo lists without storing them: they are rebuilt', () => {
    const calls = parse('0.11.3', '30-7ff5e7ae').messages.flatMap((message) => message.toolCalls)
    const replace = calls.find(({ name }) => name === 'replace')
    expect(replace?.display).toMatchObject({
      kind: 'diff',
      fileName: 'price.js',
      isRebuilt: true,
      linesAdded: 2,
      linesRemoved: 1,
    })
    expect(calls.find(({ name }) => name === 'write_file')?.display).toMatchObject({
      isNewFile: true,
      linesAdded: 2,
    })
    expect(calls.find(({ name }) => name === 'write_todos')?.display?.kind).toBe('todos')
    expect(calls.every(({ description }) => description === null)).toBe(true)
  })

  it('a failing shell command has status success; its exit code tells', () => {
    for (const home of ['0.11.3', '0.25.0', '0.38.2', '0.39.1', '0.45.2', '0.61.0']) {
      const calls = readFixtureFiles()
        .filter(({ path }) => path.startsWith(`${home}/`))
        .flatMap((file) => parseSessionFile(file).messages)
        .flatMap((message) => message.toolCalls)
        .filter(({ args }) => JSON.stringify(args).includes('ls no-such-dir'))
      expect(calls.map(({ status, exitCode, failed }) => [status, exitCode, failed])).toEqual([
        ['success', 2, true],
      ])
    }
  })

  it('0.61.0 under a pty stores shell output as rows of tokens', () => {
    const calls = parse('0.61.0-pty', 'a283f483').messages.flatMap((message) => message.toolCalls)
    const shell = calls.find(({ name }) => name === 'run_shell_command')
    if (shell?.display?.kind !== 'ansi') throw new Error(`unexpected display ${shell?.display?.kind}`)
    expect(shell.display.lines.flat().map((token) => token.text.trim())).toContain('ok')
  })

  it('0.45.2 expands @files in parts of their own, 0.4.1 in one string', () => {
    for (const [home, piece, paths] of [
      ['0.45.2', 'afb31b2d', ['src/cart.js', 'src/price.js']],
      ['0.4.1', '52c4f31e', ['/tmp/demo/webshop/src/cart.js', '/tmp/demo/webshop/src/price.js']],
    ] as const) {
      const prompt = parse(home, piece).messages.find(({ origin }) => origin === 'human')
      expect(prompt?.content).toEqual([
        { kind: 'text', text: 'Explain these two files: @src/price.js @src/cart.js' },
      ])
      expect(prompt?.attachments.map(({ path }) => path)).toEqual(paths)
      expect(prompt?.attachments[0]?.text).toContain('export class Cart {')
    }
  })

  it('the picture that a tool read is with the call', () => {
    for (const [home, piece] of [
      ['0.25.0', '1a8e2522'],
      ['0.45.2', 'c854077d'],
    ] as const) {
      const [call] = parse(home, piece).messages.flatMap((message) => message.toolCalls)
      expect(call?.extraParts).toMatchObject([{ kind: 'image', mimeType: 'image/png' }])
    }
  })

  it('a sub-agent with a file of its own has no human in it', () => {
    const parsed = parse('0.61.0', '8a27a0e9')
    expect(parsed.header.kind).toBe('subagent')
    expect(parsed.messages.map(({ origin }) => origin)).not.toContain('human')
    expect(parsed.isStub).toBe(false)
  })

  it('0.39.1 writes its metadata line again on resume: the first startTime makes the key', () => {
    expect(parse('0.39.1', 'b41afaf3').header).toMatchObject({
      firstStartTime: '2026-11-21T20:36:29.967Z',
      startTime: '2026-11-21T20:36:29.967Z',
    })
  })
})

function parse(home: string, piece: string): ParsedFile {
  return parseSessionFile(readFixtureFile(home, piece))
}

function textOf(message: Message): string {
  return message.content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}

function withoutPlace({ source: _, ...message }: Message) {
  return message
}

function countCauses(messages: readonly Message[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { superseded } of messages) if (superseded) counts[superseded] = (counts[superseded] ?? 0) + 1
  return counts
}
