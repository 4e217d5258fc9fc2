import type { SessionSummary } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { areToolsRecorded } from './are-tools-recorded.ts'

function session(startTime: string, toolCalls: number, format: 'json' | 'jsonl' = 'json') {
  const file = { home: '/h/.gemini', path: `tmp/x/chats/a.${format}`, sizeBytes: 9, format, role: 'current' }
  return { startTime, recorded: { turns: 1, toolCalls }, files: [file as SessionSummary['files'][number]] }
}

describe('tool calls', () => {
  test('were not recorded before 0.9: their number is not known, rather than 0', () => {
    expect(areToolsRecorded(session('2025-09-18T08:00:00.000Z', 0))).toBe(false)
  })

  test('are as many as were recorded in all other sessions', () => {
    expect(areToolsRecorded(session('2025-10-06T08:00:00.000Z', 0))).toBe(true)
    expect(areToolsRecorded(session('2025-09-18T08:00:00.000Z', 3))).toBe(true)
    expect(areToolsRecorded(session('2025-09-18T08:00:00.000Z', 0, 'jsonl'))).toBe(true)
    expect(areToolsRecorded({ ...session('2025-09-18T08:00:00.000Z', 0), recorded: null })).toBe(true)
  })
})
