import { expect, it } from 'vitest'
import { parseSessionFile } from './session-file.ts'

const HEAD = {
  sessionId: 's',
  projectHash: 'h',
  startTime: '2026-11-21T20:30:00.000Z',
  lastUpdated: '',
  kind: 'main',
}

function resumable(row: object, head: object = HEAD): boolean {
  const lines = [head, { id: 'a', timestamp: '2026-11-21T20:31:00.000Z', type: 'user', ...row }]
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  return parseSessionFile({ path: 'tmp/a/chats/s.jsonl', bytes: new TextEncoder().encode(text) }).isResumable
}

it.each([
  [true, { content: [{ text: '<state_snapshot>All so far</state_snapshot>' }] }],
  [true, { content: 'hello' }],
  [true, { content: [{ text: 'hello' }, { text: '<hook_context>be kind</hook_context>' }] }],
  [true, { content: [{ inlineData: { mimeType: 'image/png', data: '' } }] }],
  [true, { content: [{ functionResponse: { id: 'c', name: 'ls', response: {} } }] }],
  [true, { content: [{ text: 'the long form of a command' }], displayContent: [{ text: '/ask' }] }],
  [true, { type: 'gemini', content: '', thoughts: [{ subject: 'a', description: '' }] }],
  [true, { type: 'gemini', content: '', toolCalls: [{ id: 'c', name: 'ls', args: {} }] }],
  [false, { content: [{ text: '<hook_context>be kind</hook_context>' }] }],
  [false, { content: [{ text: '<session_context>\nx\n</session_context>' }, { text: 'hello' }] }],
  [false, { content: ' /help' }],
  [false, { content: '?' }],
  [false, { content: '' }],
  [false, { type: 'gemini', content: ' ', thoughts: [], toolCalls: [] }],
  [false, { type: 'info', content: 'Update available' }],
  [false, { type: 'human', content: 'hello' }],
])('%s for %j', (expected, row) => {
  expect(resumable(row)).toBe(expected)
})

it('not for what the CLI does not list: a sub-agent, a log without an id, in UTF-16, spread over lines', () => {
  const row = { content: 'hello' }
  expect([resumable(row, { ...HEAD, kind: 'subagent' }), resumable(row, { note: 1 })]).toEqual([false, false])
  const text = `${JSON.stringify(HEAD)}\n${JSON.stringify({ id: 'a', type: 'user', content: 'hello' })}\n`
  const spread = text.replaceAll(',', ',\n')
  const parse = (bytes: Uint8Array) => parseSessionFile({ path: 'tmp/a/chats/s.jsonl', bytes })
  const parsed = [parse(new TextEncoder().encode(spread)), parse(Buffer.from(`\ufeff${text}`, 'utf16le'))]
  expect(parsed.map(({ isResumable, messages }) => [isResumable, messages.length])).toEqual([
    [false, 1],
    [false, 1],
  ])
})
