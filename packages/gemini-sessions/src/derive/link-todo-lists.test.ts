import { describe, expect, it } from 'vitest'
import { makeMessage, makeToolCall } from '../../../../fixtures/message.ts'
import type { Message } from '../model/message.ts'
import { linkTodoLists } from './saved-output-mentions.ts'

describe('the todo list before a todo list', () => {
  it('is the last one of the session, however far back', () => {
    const messages = [
      listed('a', 'pending'),
      makeMessage({ key: 'b' }),
      makeMessage({ key: 'c' }),
      listed('d', 'completed'),
    ]
    expect(previousOf(messages)).toEqual([undefined, undefined, undefined, ['pending']])
  })

  it('is found for a page that does not hold it', () => {
    const messages = [listed('a', 'pending'), makeMessage({ key: 'b' }), listed('c', 'completed')]
    const [shown] = linkTodoLists(messages, messages.slice(2))
    expect(statusesBefore(shown)).toEqual(['pending'])
  })

  it('is none that was taken back, but within what was taken back', () => {
    const messages = [
      listed('a', 'pending'),
      listed('b', 'in_progress', { superseded: 'rewound' }),
      listed('c', 'cancelled', { superseded: 'rewound' }),
      listed('d', 'completed'),
    ]
    expect(previousOf(messages)).toEqual([undefined, ['pending'], ['in_progress'], ['pending']])
  })

  it('is never that of another agent, another tool, or one that was refused', () => {
    const messages = [
      listed('a', 'pending'),
      listed('b', 'in_progress', { agentKey: 'x' }),
      listed('c', 'blocked', {}, { name: 'tracker_create_task' }),
      listed('d', 'cancelled', {}, { status: 'error' }),
      listed('e', 'completed'),
      listed('f', 'blocked', {}, { name: 'tracker_update_task' }),
    ]
    expect(previousOf(messages)).toEqual([
      undefined,
      undefined,
      undefined,
      ['pending'],
      ['pending'],
      ['blocked'],
    ])
  })

  it('leaves messages without todo lists as they are', () => {
    const message = makeMessage({ key: 'a' })
    expect(linkTodoLists([message], [message])[0]).toBe(message)
  })
})

function previousOf(messages: Message[]) {
  return linkTodoLists(messages, messages).map(statusesBefore)
}

function statusesBefore(message: Message | undefined) {
  const display = message?.toolCalls[0]?.display
  return display?.kind === 'todos' ? display.previous?.map(({ status }) => status) : undefined
}

function listed(
  key: string,
  status: string,
  fields: Partial<Message> = {},
  call: Partial<Message['toolCalls'][number]> = {},
): Message {
  const toolCall = makeToolCall({
    id: key,
    name: 'write_todos',
    display: { kind: 'todos', todos: [{ description: 'Fix the rounding', status }] },
    ...call,
  })
  return makeMessage({ key, toolCalls: [toolCall], ...fields })
}
