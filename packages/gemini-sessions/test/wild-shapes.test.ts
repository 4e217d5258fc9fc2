import { describe, expect, it } from 'vitest'
import { type ParsedFile, parseSessionFile, stitchGroup } from '../src/index.ts'

// Shapes found in public repositories: what resumes leave in a document, and what other tools write in the CLI's format.

const METADATA = {
  sessionId: 's1',
  projectHash: 'a'.repeat(64),
  startTime: '2026-05-06T14:11:01.780Z',
  lastUpdated: '2026-05-06T14:12:01.780Z',
  kind: 'main',
}

describe('a log without message ids', () => {
  const file = parseLog([
    METADATA,
    { type: 'user', timestamp: at(4), content: [{ text: 'Rename the file' }] },
    { type: 'gemini', timestamp: at(5), content: 'Renamed.', tokens: { input: 10, output: 5, cached: 0 } },
  ])

  it('is kept, though the CLI reads none of it', () => {
    expect(file.messages.map(({ origin, superseded }) => [origin, superseded])).toEqual([
      ['human', 'replaced'],
      ['model', 'replaced'],
    ])
    expect(file.issues.map(({ code, at: place }) => [code, place])).toEqual([
      ['bad-field', 'line 2 id'],
      ['bad-field', 'line 3 id'],
    ])
  })

  it('is drawn whole', () => {
    const [session] = stitchGroup([{ home: '/h', parsed: file }])
    expect(session).toMatchObject({ buried: true, drawnKeys: session?.messages.map(({ key }) => key) })
  })
})

it('a document without message ids is live in its order', () => {
  const messages = [
    { type: 'user', timestamp: '2026-05-06T16:11:04+02:00', content: [{ text: 'hi' }] },
    { type: 'gemini', timestamp: '2026-05-06T14:11:05Z', content: 'hello' },
    { type: 'gemini', timestamp: '2026-02-30T14:11:05.000Z', content: 'on a day that February never has' },
  ]
  const file = parseDocument({ ...METADATA, messages })
  expect(file.messages.map(({ id, superseded, timestamp }) => [id, superseded, timestamp])).toEqual([
    ['', null, at(4)],
    ['', null, at(5)],
    ['', null, '2026-03-02T14:11:05.000Z'],
  ])
  expect(new Set(file.messages.map(({ key }) => key)).size).toBe(3)
})

it('results are found as texts, as a summary, and in a turn of their own', () => {
  const calls = [
    { id: 'c1', name: 'readFile', args: {}, status: 'success', result: ['# A project'] },
    { id: 'c2', name: 'glob', args: {}, status: 'success', result: null },
    { id: 'c3', name: 'list_directory', args: {}, status: 'success', resultDisplay: { summary: 'Listed 3' } },
  ]
  const file = parseLog([
    METADATA,
    { id: 'g', type: 'gemini', timestamp: at(1), content: '', toolCalls: calls },
    { id: 'r', type: 'user', timestamp: at(2), content: [response('c2', { output: 'ok' })] },
  ])
  const [answer] = file.messages
  expect(answer?.toolCalls.map(({ output, display, extraParts }) => [output, display, extraParts])).toEqual([
    [{ kind: 'empty' }, null, [{ kind: 'text', text: '# A project' }]],
    [{ kind: 'text', text: 'ok' }, null, []],
    [{ kind: 'empty' }, { kind: 'text', text: 'Listed 3' }, []],
  ])
})

it('message types of forks of the CLI are kept with their calls, and told', () => {
  const call = {
    id: 'c',
    name: 'list_files',
    args: { path: '/x' },
    status: 'success',
    result: [response('c', { output: 'a' })],
  }
  const message = { id: '2', timestamp: at(2), type: 'other-shell', content: 'Done', toolCalls: [call] }
  const file = parseDocument({ ...METADATA, messages: [message] })
  expect(file.messages[0]).toMatchObject({
    type: 'unknown',
    content: [{ text: 'Done' }],
    toolCalls: [{ id: 'c' }],
  })
  expect(file.issues.map(({ code }) => code)).toEqual(['unknown-type'])
})

describe('a resumed session saved as one document, on Windows', () => {
  const turn = [
    response('update_topic__1', { output: 'Current topic: "Errors"' }),
    response('read_file__1', { output: 'flask==3.1.3\n' }),
    response('shell__1', { error: '[Operation Cancelled] Reason: User denied execution.' }),
  ]
  const calls = turn.map(({ functionResponse: { id, name } }, index) => ({
    id,
    name,
    args: {},
    result: turn,
    status: index === 2 ? 'cancelled' : 'success',
    timestamp: at(6),
    resultDisplay: index === 1 ? '' : undefined,
  }))
  const root = 'D:\\my projects\\shop\\shop'
  const file = parseDocument({
    ...METADATA,
    memoryScratchpad: { version: 1, toolSequence: ['read_file'], touchedPaths: ['app.py'] },
    messages: [
      user('ctx', 1, `<session_context>\n- **Workspace Directories:**\n  - ${root}\n</session_context>`),
      user(
        'shell',
        2,
        'I ran the following shell command:\n```sh\npython app.py\n```\n\nThis produced the following result:\n```\nCommand exited with code 1.\n```',
      ),
      user('p1', 3, 'explain the error'),
      {
        id: 'g1',
        timestamp: at(5),
        type: 'gemini',
        model: 'gemini-3-flash-preview',
        content: [
          { text: '**Analyzing** I look.', thought: true },
          ...turn.map(({ functionResponse: { id, name } }) => ({ functionCall: { id, name, args: {} } })),
        ],
        thoughts: [{ subject: 'Analyzing', description: 'I look.', timestamp: at(4) }],
        tokens: { input: 12_312, output: 172, cached: 3_809, thoughts: 525, tool: 0, total: 13_009 },
        toolCalls: calls,
      },
      { id: 'g1_response', timestamp: at(50), type: 'user', content: turn },
      { id: 'r1', timestamp: at(6), type: 'user', content: turn },
      user('p2', 55, 'fix it'),
    ],
  })

  it('has nothing odd in it', () => {
    expect(file.issues).toEqual([])
    expect(file.drift).toEqual([])
  })

  it('gives each call its own result, once', () => {
    const all = file.messages.flatMap((message) => message.toolCalls)
    expect(all.map(({ id, status, output }) => [id, status, output])).toEqual([
      ['update_topic__1', 'success', { kind: 'text', text: 'Current topic: "Errors"' }],
      ['read_file__1', 'success', { kind: 'text', text: 'flask==3.1.3\n' }],
      [
        'shell__1',
        'cancelled',
        { kind: 'error', text: '[Operation Cancelled] Reason: User denied execution.' },
      ],
    ])
    expect(
      file.messages.filter(({ origin }) => origin === 'tool-result').map(({ content }) => content),
    ).toEqual([[], []])
  })

  it('has one thought, though the model turn holds it twice', () => {
    expect(file.messages.flatMap(({ thoughts }) => thoughts).map(({ subject }) => subject)).toEqual([
      'Analyzing',
    ])
  })

  it('tells typed prompts and shell lines from what was injected', () => {
    expect(file.messages.map(({ id, origin }) => [id, origin])).toEqual([
      ['ctx', 'injected'],
      ['shell', 'human'],
      ['p1', 'human'],
      ['g1', 'model'],
      ['g1_response', 'tool-result'],
      ['r1', 'tool-result'],
      ['p2', 'human'],
    ])
  })
})

function parseLog(records: readonly unknown[]): ParsedFile {
  return parseSessionFile({
    path: 'tmp/shop/chats/session.jsonl',
    bytes: encode(records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  })
}

function parseDocument(document: unknown): ParsedFile {
  return parseSessionFile({
    path: 'tmp/shop/chats/session.json',
    bytes: encode(JSON.stringify(document, null, 2)),
  })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function user(id: string, second: number, text: string) {
  return { id, timestamp: at(second), type: 'user', content: [{ text }] }
}

function response(id: string, answer: Record<string, string>) {
  return { functionResponse: { id, name: id.replace(/__1$/, ''), response: answer } }
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 4, 6, 14, 11, second)).toISOString()
}
