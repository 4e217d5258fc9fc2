import { expect, it } from 'vitest'
import { savedChatSession } from './saved-chat-session.ts'

const CHAT = {
  home: '/home/u/.gemini',
  path: 'tmp/shop/checkpoint-my%20tag%2F1.json',
  sizeBytes: 10,
  modifiedTime: '2026-11-21T20:30:00.000Z',
  projectKey: 'project',
}

const turns = [
  { role: 'user', parts: [{ text: 'Read it' }] },
  { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'read_file', args: { path: 'a.js' } } }] },
  {
    role: 'user',
    parts: [{ functionResponse: { id: 'c1', name: 'read_file', response: { output: 'hello' } } }],
  },
  { role: 'model', parts: [{ text: 'It says hello.' }] },
]

it.each([
  ['a bare list of turns (up to 0.15)', turns],
  ['turns with the kind of login (0.16+)', { history: turns, authType: 'gemini-api-key' }],
])('reads %s', (_, saved) => {
  const session = savedChatSession({ ...CHAT, text: JSON.stringify(saved) })
  expect(session).toMatchObject({
    kind: 'checkpoint',
    summary: 'my tag/1',
    startTime: CHAT.modifiedTime,
    files: [{ path: CHAT.path, role: 'current' }],
  })
  expect(session?.messages.map((message) => message.origin)).toEqual([
    'human',
    'model',
    'tool-result',
    'model',
  ])
  expect(session?.messages[1]?.toolCalls[0]).toMatchObject({
    name: 'read_file',
    output: { kind: 'text', text: 'hello' },
  })
})

it('is nothing if the file is something else', () => {
  expect(savedChatSession({ ...CHAT, text: '{"a":1}' })).toBeNull()
  expect(savedChatSession({ ...CHAT, text: '[' })).toBeNull()
})

it('has a key of its own in each project', () => {
  const text = JSON.stringify(turns)
  const other = savedChatSession({ ...CHAT, text, projectKey: 'other' })
  expect(savedChatSession({ ...CHAT, text })?.key).not.toBe(other?.key)
})
