import type { PriceOverrides } from '@gemini-dash/pricing'
import { parseSessionFile, type Session, stitchGroup } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { ShownMessages } from './make-detail.ts'

const START = '2026-11-21T20:28:20.912Z'
const METADATA = {
  sessionId: '4363c94e-b2c5-4034-b4ff-8148ed6493c9',
  projectHash: '0'.repeat(64),
  startTime: START,
}
const ANSWER = {
  id: 'a',
  timestamp: START,
  type: 'gemini',
  content: 'done',
  model: 'gemini-2.5-pro',
  tokens: { input: 1000, output: 10, cached: 0, thoughts: 0, tool: 0, total: 1010 },
  toolCalls: [{ id: 'c', name: 'invoke_agent', args: {}, agentId: 'sub', status: 'success' }],
}
const SUBAGENT = { key: 'key-of-sub', sessionId: 'sub', startTime: START, endTime: START }
const FREE: PriceOverrides = {
  version: 1,
  aliases: {},
  models: { 'gemini-2.5-pro': { inputPerMillion: 0, outputPerMillion: 0 } },
  plan: 'list-price',
}

it('are the same list for every page, with costs and links', () => {
  const shown = new ShownMessages()
  const session = sessionOf([ANSWER])
  const messages = shown.of(session, undefined, [SUBAGENT])
  expect(messages[0]?.cost?.usd).toBeGreaterThan(0)
  expect(messages[0]?.toolCalls[0]?.agentKey).toBe('key-of-sub')
  expect(shown.of(session, undefined, [{ ...SUBAGENT }])).toBe(messages)
})

it('are made anew for a session that was read again, other prices, or other sub-agents', () => {
  const shown = new ShownMessages()
  const session = sessionOf([ANSWER])
  expect(shown.of(session, undefined, [])[0]?.toolCalls[0]?.agentKey).toBeNull()
  expect(shown.of(session, undefined, [SUBAGENT])[0]?.toolCalls[0]?.agentKey).toBe('key-of-sub')
  expect(shown.of(session, FREE, [SUBAGENT])[0]?.cost?.usd).toBe(0)
  expect(shown.of(sessionOf([ANSWER, { ...ANSWER, id: 'b' }]), FREE, [SUBAGENT])).toHaveLength(2)
})

function sessionOf(rows: readonly unknown[]): Session {
  const text = [METADATA, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
  const path = 'tmp/shop/chats/session-2026-11-21T20-28-4363c94e.jsonl'
  const parsed = parseSessionFile({ path, bytes: new TextEncoder().encode(text) })
  const [session] = stitchGroup([{ home: '/home/mia/.gemini', parsed }])
  if (session === undefined) throw new Error('The file gave no session.')
  return session
}
