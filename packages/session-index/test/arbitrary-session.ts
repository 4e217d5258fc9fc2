import fc from 'fast-check'
import { type Message, NO_USAGE, type Session, type ToolCall } from 'gemini-sessions'
import { makeMessage, makeSession, makeToolCall, text } from './make-session.ts'

/** Content of sessions and queries. */
export const WORDS = [
  ...['alpha', 'Béta', 'betamax', 'get_coffset', 'foo.bar()', 'a/b.ts', 'C++'],
  ...['中文', '文字', 'テスト', '42', '—', 'x', 'error'],
]
export const TOOLS = ['read_file', 'replace', 'run_shell_command']
export const STATUSES = ['success', 'error', 'cancelled']
export const PATHS = ['/home/me/src/a.ts', 'src/b.ts', 'C:\\work\\src\\a.ts', 'README.md']
export const MODELS = ['gemini-2.5-pro', 'gemini-2.5-flash', 'my-own-model']

const phrase = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' '))

const toolCall: fc.Arbitrary<ToolCall> = fc
  .record({
    name: fc.constantFrom(...TOOLS),
    status: fc.constantFrom(...STATUSES),
    path: fc.constantFrom(...PATHS),
    output: phrase,
    isDiff: fc.boolean(),
  })
  .map(({ name, status, path, output, isDiff }) =>
    makeToolCall({
      name,
      status,
      failed: status === 'error',
      args: { file_path: path },
      output: output === '' ? { kind: 'empty' } : { kind: 'text', text: output },
      display: isDiff ? diffOf(path) : null,
    }),
  )

function diffOf(filePath: string): ToolCall['display'] {
  const versions = { fileDiff: '', originalContent: null, newContent: null, linesAdded: 1, linesRemoved: 0 }
  return { kind: 'diff', fileName: 'a.ts', filePath, ...versions, isNewFile: false, isRebuilt: false }
}

const messageParts = fc.record({
  type: fc.constantFrom('user', 'gemini', 'gemini', 'info', 'error'),
  content: phrase,
  hasImage: fc.nat(5).map((drawn) => drawn === 0),
  thought: fc.option(phrase),
  calls: fc.array(toolCall, { maxLength: 2 }),
  tokens: fc.option(fc.constantFrom(10, 1_000, 100_000)),
  model: fc.constantFrom(...MODELS),
  superseded: fc.option(fc.constantFrom('rewound', 'replaced'), { freq: 4 }),
  minute: fc.option(fc.nat(59)),
})

type MessageParts = typeof messageParts extends fc.Arbitrary<infer Parts> ? Parts : never

export const arbitrarySessions: fc.Arbitrary<Session[]> = fc
  .array(fc.array(messageParts, { maxLength: 5 }), { minLength: 1, maxLength: 3 })
  .map((drawn) => drawn.map((messages, index) => makeSession(`s${index}`, messages.map(toMessage))))

function toMessage(parts: MessageParts, index: number): Message {
  const isModel = parts.type === 'gemini'
  const image = {
    kind: 'image',
    mimeType: 'image/png',
    data: '',
    uri: null,
    sizeBytes: 0,
    href: null,
  } as const
  const { tokens, minute } = parts
  return makeMessage({
    key: `m${index}`,
    type: parts.type as Message['type'],
    origin: isModel ? 'model' : parts.type === 'user' ? 'human' : 'cli',
    content: [...text(parts.content), ...(parts.hasImage ? [image] : [])],
    thoughts: parts.thought === null ? [] : [{ subject: parts.thought, description: '', timestamp: null }],
    toolCalls: isModel ? parts.calls : [],
    usage: isModel && tokens !== null ? { ...NO_USAGE, input: tokens, total: tokens, calls: 1 } : null,
    model: isModel ? parts.model : null,
    superseded: parts.superseded as Message['superseded'],
    timestamp: minute === null ? null : `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`,
  })
}
