import type { Doctor } from '@gemini-dash/api'
import { describe, expect, it } from 'vitest'
import { driftReport } from './diagnostics.tsx'

const note = (fields: Partial<Doctor['drift'][number]>): Doctor['drift'][number] => ({
  where: 'message',
  name: 'mood',
  count: 3,
  sessions: 2,
  meaning: 'a field of a message',
  example: 'tmp/secret-project/chats/session-2026-11-21T20-30-ab5a15b1.jsonl, line 4 call_1',
  sessionKey: 'key',
  ...fields,
})

describe('the report that people can file', () => {
  it('holds names, counts and the kind of file', () => {
    expect(driftReport([note({})], '1.2.3')).toContain('| message | `mood` | 3 | 2 | session-*.jsonl |')
  })

  it('holds no path, no session and no text of anybody', () => {
    const report = driftReport([note({ where: 'toolCall.status', name: 'waiting for my boss' })], '1.2.3')
    expect(report).not.toMatch(/secret-project|ab5a15b1|key|boss|call_1/)
    expect(report).toContain('not shown')
  })

  it.each([
    ['tmp/a/chats/session-2026-11-21T20-30-ab5a15b1.json', 'session-*.json'],
    ['tmp/a/chats/parent/nhiq2f.jsonl, line 2', '*.jsonl'],
    ['tmp/a/checkpoint-my%20tag.json', 'checkpoint-*.json'],
  ])('%s is a %s', (example, form) => {
    expect(driftReport([note({ example })], '1')).toContain(`| ${form} |`)
  })
})
