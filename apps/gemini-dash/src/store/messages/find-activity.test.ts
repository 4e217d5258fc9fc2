import { describe, expect, test } from 'vitest'
import { messageFixture, toolCallFixture } from '../fixtures/message-fixture.ts'
import { findActivity } from './find-activity.ts'

const text = (words: string) => [{ kind: 'text' as const, text: words }]
const prompt = messageFixture({ type: 'user', origin: 'human', content: text('Mend it') })
const answer = messageFixture({ content: text('Mended.') })
const stateOf = (...messages: Parameters<typeof findActivity>[0]) => findActivity(messages).state

describe('what the end of a log tells', () => {
  test('a prompt without an answer waits for the model', () => {
    expect(stateOf(answer, prompt)).toBe('asked')
  })

  test('an answer in words waits for the reader', () => {
    expect(stateOf(prompt, answer)).toBe('answered')
  })

  test('a call without a result, recorded or not, runs or waits for approval', () => {
    expect(stateOf(prompt, messageFixture({ toolCalls: [toolCallFixture({ status: 'unanswered' })] }))).toBe(
      'calling',
    )
    expect(stateOf(prompt, messageFixture({ content: [] }))).toBe('calling')
  })

  test('finished calls wait for the model again', () => {
    expect(stateOf(prompt, messageFixture({ toolCalls: [toolCallFixture({ status: 'error' })] }))).toBe(
      'asked',
    )
  })

  test('a message of a sub-agent belongs to a call that is under way', () => {
    expect(stateOf(prompt, messageFixture({ content: text('Looking.'), agentKey: 'agent-1' }))).toBe(
      'calling',
    )
  })

  test('what was taken back tells nothing, and notices only their time', () => {
    const notice = messageFixture({ type: 'info', origin: 'cli', timestamp: '2026-11-20T11:00:00.000Z' })
    expect(findActivity([prompt, answer, { ...prompt, superseded: 'rewound' }, notice])).toEqual({
      state: 'answered',
      since: '2026-11-20T11:00:00.000Z',
    })
  })

  test('a session of context alone is silent', () => {
    expect(findActivity([messageFixture({ type: 'user', origin: 'injected' })]).state).toBe('silent')
    expect(findActivity([])).toEqual({ state: 'silent', since: null })
  })
})
