import { type Message, messageSchema, type ToolCall, toolCallSchema } from 'gemini-sessions'

/** A plain message for tests of pages and cuts. */
export function messageFixture(fields: Partial<Message> = {}): Message {
  return messageSchema.parse({
    key: 'm1',
    id: 'm1',
    type: 'gemini',
    origin: 'model',
    timestamp: '2026-11-20T10:00:00.000Z',
    model: 'gemini-2.5-pro',
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
    source: { file: 'tmp/webshop/chats/session-1.jsonl', line: 2 },
    ...fields,
  })
}

export function toolCallFixture(fields: Partial<ToolCall> = {}): ToolCall {
  return toolCallSchema.parse({
    id: 'call-1',
    name: 'read_file',
    displayName: 'ReadFile',
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
    ...fields,
  })
}
