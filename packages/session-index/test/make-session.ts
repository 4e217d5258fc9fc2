import type { Message, Session } from 'gemini-sessions'
import { makeMessage as messageOf } from '../../../fixtures/message.ts'

export { makeToolCall } from '../../../fixtures/message.ts'

/** A prompt, unless another type is given. */
export function makeMessage(given: Partial<Message> & { key: string }): Message {
  return messageOf({ type: 'user', timestamp: '2026-03-01T10:00:00.000Z', ...given })
}

export function text(content: string): Message['content'] {
  return [{ kind: 'text', text: content }]
}

export function makeSession(key: string, messages: Message[], given: Partial<Session> = {}): Session {
  return {
    key,
    ownKeys: [key],
    fileKeys: [],
    sessionId: `id-of-${key}`,
    kind: 'main',
    parentSessionId: null,
    sameRunKeys: [],
    projectHash: null,
    startTime: '2026-03-01T09:00:00.000Z',
    lastUpdated: null,
    summary: null,
    directories: [],
    messages,
    segments: [],
    buried: false,
    drawnKeys: null,
    resumedKeys: [],
    files: [],
    issues: [],
    drift: [],
    ...given,
  }
}
