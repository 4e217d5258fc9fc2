import type { Message, Session, ToolCall } from 'gemini-sessions'

/** A message with the given texts; everything else as empty as the model allows. */
export function makeMessage(given: Partial<Message> & { key: string }): Message {
  return {
    id: given.key,
    type: 'user',
    origin: given.type === 'gemini' ? 'model' : given.type === 'info' ? 'cli' : 'human',
    timestamp: '2026-03-01T10:00:00.000Z',
    model: null,
    content: [],
    attachments: [],
    thoughts: [],
    toolCalls: [],
    usage: null,
    cost: null,
    superseded: null,
    copyOf: null,
    agentKey: null,
    segment: 0,
    source: { file: 'tmp/demo/chats/session.jsonl', line: 1 },
    ...given,
  }
}

export function makeToolCall(given: Partial<ToolCall>): ToolCall {
  return {
    id: 'call-1',
    name: 'run_shell_command',
    displayName: null,
    description: null,
    args: {},
    status: 'success',
    timestamp: null,
    exitCode: null,
    failed: false,
    output: { kind: 'empty' },
    display: null,
    extraParts: [],
    agentId: null,
    agentKey: null,
    ...given,
  }
}

export function text(content: string): Message['content'] {
  return [{ kind: 'text', text: content }]
}

export function makeSession(key: string, messages: Message[], given: Partial<Session> = {}): Session {
  return {
    key,
    ownKeys: [key],
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
