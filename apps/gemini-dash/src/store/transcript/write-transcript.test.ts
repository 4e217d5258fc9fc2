import { expect, test } from 'vitest'
import { messageFixture, toolCallFixture } from '../fixtures/message-fixture.ts'
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
const whole = (list: typeof messages) => ({ kind: 'main' as const, files: [], messages: list })
const restore = async (batch: readonly (typeof messages)[number][]) => [...batch]

test('a message alone is what it says, thinks and does, without a heading', async () => {
  expect(await writeTranscript(whole(messages), { as: 'markdown', message: 'b' }, restore)).toBe(
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
  expect(await writeTranscript(whole(messages), { as: 'text', message: 'b' }, restore)).toBe(
    '(Thought) Plan\nfirst\nsecond\n\nTrying.\n\nShell (failed, exit 1)\n{\n  "command": "npm test"\n}\none ``` fence\n',
  )
})

test('a turn goes from its prompt to the next', async () => {
  const turn = await writeTranscript(whole(messages), { as: 'markdown', turnOf: 'r' }, restore)
  expect(turn).toContain('## You, ')
  expect(turn).toContain('Trying.')
  expect(turn).not.toContain('Again')
  expect(turn).not.toContain('Hello')
  expect(await writeTranscript(whole(messages), { as: 'markdown', turnOf: 'n' }, restore)).toContain('Hello')
})

test('the whole session has every message, each in full', async () => {
  const long = [...messages, messageFixture({ key: 'z', content: text('x'.repeat(200_000)) })]
  const written = await writeTranscript(whole(long), { as: 'text' }, restore)
  expect(written).toContain('Hello')
  expect(written).toContain('Again')
  expect(written).toContain('x'.repeat(200_000))
})

test('a message or turn that is not there is none', async () => {
  expect(await writeTranscript(whole(messages), { as: 'text', message: 'no' }, restore)).toBeNull()
  expect(await writeTranscript(whole(messages), { as: 'text', turnOf: 'no' }, restore)).toBeNull()
})

const NO_REASON = 'No answer was recorded: the request failed or the CLI was stopped'
const REFUSED =
  '[API Error: {"error":{"code":400,"message":"The request was refused.","status":"INVALID_ARGUMENT"}}]'
const REASON = 'No answer: the API refused the request: 400 INVALID_ARGUMENT, ‘The request was refused.’'

test('C4: a prompt that nothing follows closes as it does on the page, unless it is still being answered', async () => {
  for (const query of [{ as: 'text' as const }, { as: 'text' as const, turnOf: 'c' }]) {
    const text = await writeTranscript(whole(messages), query, restore)
    expect(text?.endsWith(`Again\n\n${NO_REASON}\n`)).toBe(true)
    expect(text?.split(NO_REASON)).toHaveLength(2)
    expect(await writeTranscript(whole(messages), { ...query, isLive: true }, restore)).not.toContain(
      'No answer',
    )
  }
  expect(await writeTranscript(whole(messages), { as: 'markdown' }, restore)).toContain(
    `Again\n\n**${NO_REASON}**`,
  )
  expect(await writeTranscript(whole(messages), { as: 'text', turnOf: 'b' }, restore)).not.toContain(
    'No answer',
  )
  expect(await writeTranscript(whole(messages), { as: 'text', message: 'c' }, restore)).toBe('Again\n')
})

test('C4: a refused turn closes with the reason of the API, and its prompt is not said to be taken back', async () => {
  const refused = [
    messageFixture({
      key: 'p',
      type: 'user',
      origin: 'human',
      superseded: 'aborted',
      content: text('Mend it'),
    }),
    messageFixture({ key: 'e', type: 'error', origin: 'cli', content: text(REFUSED) }),
    messageFixture({ key: 'n', type: 'info', origin: 'cli', content: text('Press F12 for diagnostics.') }),
    messageFixture({ key: 'q', type: 'user', origin: 'human', content: text('Go on') }),
    messageFixture({ key: 'a', content: text('Done.') }),
  ]
  for (const isLive of [false, true]) {
    const written = await writeTranscript(whole(refused), { as: 'text', isLive }, restore)
    expect(written).toContain(`Press F12 for diagnostics.\n\n${REASON}\n\nYou`)
    expect(written).not.toContain('aborted')
    expect(written?.endsWith('Done.\n')).toBe(true)
  }
})
