import { expect, it } from 'vitest'
import { savedChatSession } from './saved-chat-session.ts'
import { sessionTitle } from './summary.ts'

const CHAT = {
  home: '/home/u/.gemini',
  path: 'tmp/shop/checkpoint-my%20tag%2F1.json',
  sizeBytes: 10,
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
    startTime: null,
    files: [{ path: CHAT.path, role: 'current' }],
  })
  expect(session.messages.map((message) => message.origin)).toEqual([
    'human',
    'model',
    'tool-result',
    'model',
  ])
  expect(session.messages[1]?.toolCalls[0]).toMatchObject({
    name: 'read_file',
    output: { kind: 'text', text: 'hello' },
  })
})

it.each([
  ['something else', '{"a":1}', 'not-a-session'],
  ['a list of something else', '[1,{"a":2}]', 'not-a-session'],
  ['nothing', ' ', 'empty-file'],
  ['text', 'version https://git-lfs.github.com/spec/v1', 'not-a-session'],
])('is a row that says so if the file holds %s', (_, text, code) => {
  const session = savedChatSession({ ...CHAT, text })
  expect(session.messages).toEqual([])
  expect(session.files).toMatchObject([{ path: CHAT.path, role: 'damaged' }])
  expect(session.issues).toMatchObject([{ code }])
})

it('keeps the turns before the place where the file was cut', () => {
  const text = JSON.stringify({ history: turns }, null, 2)
  for (const cutAt of [text.indexOf('It says') + 3, text.lastIndexOf('"role"'), text.lastIndexOf('{"text')]) {
    const session = savedChatSession({ ...CHAT, text: text.slice(0, cutAt) })
    expect(session.messages[0]?.content).toEqual([{ kind: 'text', text: 'Read it' }])
    expect(session.messages[1]?.toolCalls).toHaveLength(1)
    expect(session.issues).toMatchObject([{ code: 'truncated-json' }])
  }
})

it('without a tag goes by its first prompt', () => {
  const session = savedChatSession({ ...CHAT, path: 'tmp/shop/checkpoint.json', text: JSON.stringify(turns) })
  expect(session.sessionId).toBe('checkpoint-')
  expect(sessionTitle(session)).toEqual({ title: 'Read it', titleSource: 'prompt' })
})

it.each([
  ['checkpoint-a%20b.json', 'a b'],
  ['checkpoint-100%.json', '100%'],
  ['checkpoint-%E6%97%A5%E6%9C%AC.json', '日本'],
  ['checkpoint-checkpoint-x.json', 'checkpoint-x'],
])('goes by its tag as it was typed: %s', (name, tag) => {
  const session = savedChatSession({ ...CHAT, path: `tmp/shop/${name}`, text: JSON.stringify(turns) })
  expect(sessionTitle(session)).toEqual({ title: tag, titleSource: 'user' })
})

it('has a key of its own in each project', () => {
  const text = JSON.stringify(turns)
  const other = savedChatSession({ ...CHAT, text, projectKey: 'other' })
  expect(savedChatSession({ ...CHAT, text }).key).not.toBe(other.key)
})
