import { describe, expect, it } from 'vitest'
import { parseSessionFile, readSessionTail } from './session-file.ts'

const METADATA = {
  directories: ['/shop'],
  sessionId: 's1',
  projectHash: 'p',
  startTime: '2026-11-21T20:30:00.000Z',
  lastUpdated: '2026-11-21T20:31:00.000Z',
}
const MESSAGE = { id: 'u', timestamp: METADATA.startTime, type: 'user', content: 'Say "]," one'.repeat(50) }

describe('metadata behind the messages', () => {
  it.each([
    ['pretty', 2],
    ['on one line', 0],
  ])('are read from the end of the file, %s', (_, indent) => {
    const text = JSON.stringify({ messages: [MESSAGE], ...METADATA }, null, indent)
    const bytes = new TextEncoder().encode(text)
    const { sessionId, firstStartTime, projectHash } = parseSessionFile({ path: 'a.json', bytes }).header
    expect(readSessionTail(bytes.subarray(-400))).toMatchObject({ sessionId, firstStartTime, projectHash })
    expect(sessionId).toBe('s1')
  })

  it.each([
    [
      'a log whose last call has an argument of that name',
      { id: 'a', type: 'gemini', toolCalls: [{ args: { list: [1], sessionId: 'no' } }] },
    ],
    ['a log of messages', MESSAGE],
    ['a document with the messages last', { ...METADATA, messages: [MESSAGE] }],
  ])('are not found in %s', (_, row) => {
    expect(readSessionTail(new TextEncoder().encode(`${JSON.stringify(row)}\n`))).toBeNull()
  })
})
