import type { Depth } from '@gemini-dash/api'
import { buildOutline, type Message, type Session } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { messageFixture, toolCallFixture } from '../../test/message-fixture.ts'
import { type Choice, chooseMessages, readChosen } from './choose-messages.ts'
import { writeTranscript } from './write-markdown.ts'

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

interface Asked extends Choice {
  as: 'markdown' | 'text'
  isLive?: boolean
  depth?: Depth
}

async function transcriptOf(list: Message[], asked: Asked): Promise<string | null> {
  const { as, isLive = false, depth = 'all', ...choice } = asked
  const session = { kind: 'main', files: [], messages: list, segments: [], issues: [] } as unknown as Session
  const chosen = chooseMessages({ messages: list, turns: buildOutline(session).turns, isLive }, choice)
  const told = chosen && readChosen(chosen, depth, async (batch) => [...batch])
  return told && writeTranscript(told, { as, hasHeads: choice.message === undefined })
}

test('a message alone is what it says, thinks and does, without a heading', async () => {
  expect(await transcriptOf(messages, { as: 'markdown', message: 'b' })).toBe(
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
  expect(await transcriptOf(messages, { as: 'text', message: 'b' })).toBe(
    '(Thought) Plan\nfirst\nsecond\n\nTrying.\n\nShell (failed, exit 1)\n{\n  "command": "npm test"\n}\none ``` fence\n',
  )
})

test('a turn goes from its prompt to the next', async () => {
  const turn = await transcriptOf(messages, { as: 'markdown', turnOf: 'r' })
  expect(turn).toContain('## You, ')
  expect(turn).toContain('Trying.')
  expect(turn).not.toContain('Again')
  expect(turn).not.toContain('Hello')
  expect(await transcriptOf(messages, { as: 'markdown', turnOf: 'n' })).toContain('Hello')
})

test('the whole session has every message, each in full', async () => {
  const long = [...messages, messageFixture({ key: 'z', content: text('x'.repeat(200_000)) })]
  const written = await transcriptOf(long, { as: 'text' })
  expect(written).toContain('Hello')
  expect(written).toContain('Again')
  expect(written).toContain('x'.repeat(200_000))
})

test('a message or turn that is not there is none', async () => {
  expect(await transcriptOf(messages, { as: 'text', message: 'no' })).toBeNull()
  expect(await transcriptOf(messages, { as: 'text', turnOf: 'no' })).toBeNull()
})

const NO_REASON = 'No answer was recorded: the request failed or the program was stopped'
const REFUSED =
  '[API Error: {"error":{"code":400,"message":"The request was refused.","status":"INVALID_ARGUMENT"}}]'
const REASON = 'No answer: the API refused the request: 400 INVALID_ARGUMENT, ‘The request was refused.’'

test('C4: a prompt that nothing follows closes as it does on the page, unless it is still being answered', async () => {
  for (const query of [{ as: 'text' as const }, { as: 'text' as const, turnOf: 'c' }]) {
    const text = await transcriptOf(messages, query)
    expect(text?.endsWith(`Again\n\n${NO_REASON}\n`)).toBe(true)
    expect(text?.split(NO_REASON)).toHaveLength(2)
    expect(await transcriptOf(messages, { ...query, isLive: true })).not.toContain('No answer')
  }
  expect(await transcriptOf(messages, { as: 'markdown' })).toContain(`Again\n\n**${NO_REASON}**`)
  expect(await transcriptOf(messages, { as: 'text', turnOf: 'b' })).not.toContain('No answer')
  expect(await transcriptOf(messages, { as: 'text', message: 'c' })).toBe('Again\n')
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
    const written = await transcriptOf(refused, { as: 'text', isLive })
    expect(written).toContain(`Press F12 for diagnostics.\n\n${REASON}\n\nYou`)
    expect(written).not.toContain('aborted')
    expect(written?.endsWith('Done.\n')).toBe(true)
  }
})

test('each depth holds what is before it, and the last one everything', async () => {
  const file = { path: 'notes.md', text: 'attached words' }
  const told = messages.map((message) =>
    message.key === 'a' ? { ...message, attachments: [file] } : message,
  )
  const pieces = ['Mend it', 'Trying.', 'first\nsecond', 'one ``` fence', 'Hello', 'attached words']
  const held = async (depth: Depth) => {
    const written = await transcriptOf(told, { as: 'text', depth })
    return pieces.filter((piece) => written?.includes(piece)).length
  }
  expect(await Promise.all((['prompts', 'talk', 'thoughts', 'tools', 'all'] as const).map(held))).toEqual([
    1, 2, 3, 4, 6,
  ])
})

test('turns are chosen by their number and from the end; what stands before the first prompt is turn 0', async () => {
  const prompts = async (choice: Choice) => {
    const written = await transcriptOf(messages, { as: 'text', ...choice })
    return written && ['Hello', 'Mend it', 'Again'].filter((words) => written.includes(words))
  }
  expect(await prompts({ turn: 0 })).toEqual(['Hello'])
  expect(await prompts({ turn: 2 })).toEqual(['Again'])
  expect(await prompts({ last: 2 })).toEqual(['Mend it', 'Again'])
  expect(await prompts({ last: 9 })).toEqual(['Hello', 'Mend it', 'Again'])
  expect(await prompts({ turn: 3 })).toBeNull()
})
