import { expect, it } from 'vitest'
import { promptLogSessions } from './prompt-log-sessions.ts'

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
