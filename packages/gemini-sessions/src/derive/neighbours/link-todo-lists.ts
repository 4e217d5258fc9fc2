import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { ToolOutput } from '../../model/tool-output.ts'

type TodoList = Extract<ToolOutput, { kind: 'todos' }>

/**
 * `shown` messages of a session with `previous` set on the todo lists that they draw: the list before it, of the same tool
 * and the same agent. A list that was taken back or refused is nobody's previous one, but within its own branch.
 */
export function linkTodoLists(messages: readonly Message[], shown: readonly Message[]): Message[] {
  const wanted = new Set(shown.filter(hasTodos).map(({ key }) => key))
  if (wanted.size === 0) return [...shown]
  const before = listsBefore(messages, wanted)
  return shown.map((message) => {
    const lists = before.get(message.key)
    return lists === undefined ? message : withPrevious(message, lists)
  })
}

/** For each wanted message, by place of its calls, the list before. */
function listsBefore(
  messages: readonly Message[],
  wanted: ReadonlySet<string>,
): Map<string, (TodoList | undefined)[]> {
  const found = new Map<string, (TodoList | undefined)[]>()
  const lastLive = new Map<string, TodoList>()
  const lastOfBranch = new Map<string, TodoList>()
  for (const message of messages) {
    const isTakenBack = message.superseded !== null && message.superseded !== 'compacted'
    if (!isTakenBack) lastOfBranch.clear()
    const previous = message.toolCalls.map((call) => {
      const list = todosOf(call)
      if (list === undefined) return undefined
      const line = `${message.agentKey ?? ''} ${call.name.startsWith('tracker_') ? 'tracker' : call.name}`
      const last = lastOfBranch.get(line) ?? lastLive.get(line)
      if (call.status === 'success') (isTakenBack ? lastOfBranch : lastLive).set(line, list)
      return last
    })
    if (wanted.has(message.key)) found.set(message.key, previous)
  }
  return found
}

function withPrevious(message: Message, lists: readonly (TodoList | undefined)[]): Message {
  const toolCalls = message.toolCalls.map((call, index) => {
    const list = todosOf(call)
    const previous = lists[index]?.todos
    return list === undefined || previous === undefined ? call : { ...call, display: { ...list, previous } }
  })
  return { ...message, toolCalls }
}

function hasTodos(message: Message): boolean {
  return message.toolCalls.some((call) => todosOf(call) !== undefined)
}

function todosOf({ display }: ToolCall): TodoList | undefined {
  return display?.kind === 'todos' ? display : undefined
}
