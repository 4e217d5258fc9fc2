import { expect, test } from 'vitest'
import { makeMessage as said } from '../../../../../../fixtures/message.ts'
import { messageName } from './entry.tsx'

const text = (words: string) => ({ content: [{ kind: 'text' as const, text: words }] })
const thought = { subject: '**Looking** around', description: '', timestamp: null }

test.each([
  [
    'You: Fix the bug in frame.c',
    said({ type: 'user', origin: 'human', ...text('Fix the bug\n in `frame.c`') }),
  ],
  ['Gemini: Done: some_name stays', said(text('## Done: **some_name** stays'))],
  ['Sub-agent: Found it.', said({ agentKey: 'a', ...text('Found it.') })],
  ['Gemini: thinks, Looking around', said({ thoughts: [thought] })],
  ['Error: quota', said({ type: 'error', origin: 'cli', ...text('quota') })],
  ['Gemini', said({})],
  ['Antigravity', said({ source: { file: 'antigravity-cli/conversations/x.db', index: 0 } })],
])('%s', (name, message) => {
  expect(messageName(message)).toBe(name)
})

test('a long beginning is cut at a word, and one word that is too long is cut as well', () => {
  expect(messageName(said(text('word '.repeat(60))))).toBe(`Gemini: ${'word '.repeat(16)}…`)
  expect(messageName(said(text('x'.repeat(9_999))))).toHaveLength('Gemini: '.length + 82)
})
