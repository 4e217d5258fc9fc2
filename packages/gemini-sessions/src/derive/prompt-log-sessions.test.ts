import { expect, it } from 'vitest'
import { type PromptLog, readPromptLog, promptLogSessions as sessionsOf } from './read-prompt-log.ts'

const promptLogSessions = (logs: readonly PromptLog[], knownIds: ReadonlySet<string>) =>
  sessionsOf(logs.map(readPromptLog), 'shop', knownIds)

const entry = (sessionId: string, messageId: number, message: string) => ({
  sessionId,
  messageId,
  type: 'user',
  message,
  timestamp: `2025-08-01T10:0${messageId}:00.000Z`,
})

it('makes sessions of the prompts whose session file is gone', () => {
  const text = JSON.stringify([entry('lost', 0, 'Say one'), entry('kept', 0, 'x'), entry('lost', 1, '/quit')])
  const sessions = promptLogSessions([{ path: 'tmp/shop/logs.json', text }], new Set(['kept']))
  expect(sessions).toHaveLength(1)
  expect(sessions[0]).toMatchObject({
    sessionId: 'lost',
    kind: 'prompts-only',
    startTime: '2025-08-01T10:00:00.000Z',
    lastUpdated: '2025-08-01T10:01:00.000Z',
    files: [],
  })
  expect(sessions[0]?.messages.map(({ key, origin, content }) => [key, origin, content])).toEqual([
    ['0', 'human', [{ kind: 'text', text: 'Say one' }]],
    ['1', 'human', [{ kind: 'text', text: '/quit' }]],
  ])
})

it('counts the copy of a log once, and passes over what is no entry', () => {
  const rows = [entry('lost', 0, 'Say one'), entry('lost', 0, 'Say two'), null, { sessionId: 3 }]
  const logs = ['tmp/shop/logs.json', 'tmp/abc/logs.json'].map((path) => ({
    path,
    text: JSON.stringify(rows),
  }))
  const sessions = promptLogSessions([...logs, { path: 'tmp/bad/logs.json', text: '[{' }], new Set())
  expect(sessions.map((session) => session.messages.map((message) => message.key))).toEqual([['0', '0~2']])
})

it.each([
  ['cut in an entry', (text: string) => text.slice(0, -30)],
  ['cut right behind one', (text: string) => text.slice(0, text.lastIndexOf(',{'))],
  [
    'followed by NUL characters after a power loss',
    (text: string) => `${text.slice(0, -40)}${'\0'.repeat(40)}`,
  ],
])('reads what is left of a log that was %s', (_, damage) => {
  const text = JSON.stringify([
    entry('lost', 0, 'Say one'),
    entry('lost', 1, 'Say two'),
    entry('lost', 2, 'Say three'),
  ])
  const [session] = promptLogSessions([{ path: 'tmp/shop/logs.json', text: damage(text) }], new Set())
  const said = session?.messages.map(({ content }) => content[0])
  expect(said?.slice(0, 2)).toEqual([
    { kind: 'text', text: 'Say one' },
    { kind: 'text', text: 'Say two' },
  ])
})

it('keeps a prompt whose number or time has the wrong type', () => {
  const rows = [{ sessionId: 'lost', messageId: '0', message: 'Say one', timestamp: 7e99 }]
  const [session] = promptLogSessions([{ path: 'tmp/shop/logs.json', text: JSON.stringify(rows) }], new Set())
  expect(session?.messages).toMatchObject([
    { key: 'entry-0', id: '', timestamp: null, content: [{ kind: 'text', text: 'Say one' }] },
  ])
})
