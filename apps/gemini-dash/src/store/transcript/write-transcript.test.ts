import { expect, test } from 'vitest'
import { messageFixture, toolCallFixture } from '../message-fixture.ts'
import { writeTranscript } from './write-transcript.ts'

const text = (words: string) => [{ kind: 'text' as const, text: words }]
const call = toolCallFixture({
  name: 'run_shell_command',
  displayName: 'Shell',
  args: { command: 'npm test' },
  failed: true,
  exitCode: 1,
  output: { kind: 'text', text: 'one ``` fence' },
})
const messages = [
  messageFixture({ key: 'n', type: 'info', origin: 'cli', content: text('Hello') }),
  messageFixture({ key: 'a', type: 'user', origin: 'human', content: text('Mend it') }),
  messageFixture({
    key: 'b',
    content: text('Trying.'),
    thoughts: [{ subject: 'Plan', description: 'first\nsecond', timestamp: null }],
    toolCalls: [call],
  }),
  messageFixture({ key: 'r', type: 'user', origin: 'tool-result' }),
  messageFixture({ key: 'c', type: 'user', origin: 'human', content: text('Again') }),
]
const restore = async (batch: readonly (typeof messages)[number][]) => [...batch]

test('a message alone is what it says, thinks and does, without a heading', async () => {
  expect(await writeTranscript(messages, { as: 'markdown', message: 'b' }, restore)).toBe(
    [
      '> **Thought: Plan**\n> first\n> second',
      'Trying.',
      '**Shell (failed, exit 1)**',
      '```json\n{\n  "command": "npm test"\n}\n```',
      '````\none ``` fence\n````\n',
    ].join('\n\n'),
  )
})

test('plain text has no marks of Markdown', async () => {
  expect(await writeTranscript(messages, { as: 'text', message: 'b' }, restore)).toBe(
    '(Thought) Plan\nfirst\nsecond\n\nTrying.\n\nShell (failed, exit 1)\n{\n  "command": "npm test"\n}\none ``` fence\n',
  )
})

test('a turn goes from its prompt to the next', async () => {
  const turn = await writeTranscript(messages, { as: 'markdown', turnOf: 'r' }, restore)
  expect(turn).toContain('## You, ')
  expect(turn).toContain('Trying.')
  expect(turn).not.toContain('Again')
  expect(turn).not.toContain('Hello')
  expect(await writeTranscript(messages, { as: 'markdown', turnOf: 'n' }, restore)).toContain('Hello')
})

test('the whole session has every message, each in full', async () => {
  const long = [...messages, messageFixture({ key: 'z', content: text('x'.repeat(200_000)) })]
  const whole = await writeTranscript(long, { as: 'text' }, restore)
  expect(whole).toContain('Hello')
  expect(whole).toContain('Again')
  expect(whole).toContain('x'.repeat(200_000))
})

test('a message or turn that is not there is none', async () => {
  expect(await writeTranscript(messages, { as: 'text', message: 'no' }, restore)).toBeNull()
  expect(await writeTranscript(messages, { as: 'text', turnOf: 'no' }, restore)).toBeNull()
})
