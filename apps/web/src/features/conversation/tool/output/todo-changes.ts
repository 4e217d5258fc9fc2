import type { ToolOutput } from 'gemini-sessions'

type Todo = Extract<ToolOutput, { kind: 'todos' }>['todos'][number]

export interface ChangedTodo extends Todo {
  key: string
  /** Steps below another task (trackers). */
  depth: number
  /** added: not in the list before; moved: it was, in another state; removed: only there. null: as before. */
  change: 'added' | 'moved' | 'removed' | null
}

/** A todo list with what changed since the one before. Without one, nothing is new. */
export function todoChanges(todos: readonly Todo[], previous: readonly Todo[] | undefined): ChangedTodo[] {
  const before = new Map(previous?.map((todo) => [nameOf(todo), todo]))
  const now = new Set(todos.map(nameOf))
  const listed = todos.map((todo, index) =>
    placed(todo, index, changeOf(todo, previous && before.get(nameOf(todo)), previous !== undefined)),
  )
  const gone = (previous ?? []).filter((todo) => !now.has(nameOf(todo)))
  return [...listed, ...gone.map((todo, index) => placed(todo, todos.length + index, 'removed'))]
}

function changeOf(todo: Todo, before: Todo | undefined, hasList: boolean): ChangedTodo['change'] {
  if (!hasList) return null
  if (before === undefined) return 'added'
  return before.status === todo.status ? null : 'moved'
}

function placed({ description, status }: Todo, index: number, change: ChangedTodo['change']): ChangedTodo {
  const indent = /^ */.exec(description)?.[0].length ?? 0
  return {
    key: `${index} ${description}`,
    description: description.trimStart(),
    status,
    depth: Math.min(Math.floor(indent / 2), 4),
    change,
  }
}

/** Tasks have no id of their own; their words are. */
function nameOf({ description }: Todo): string {
  return description.trim()
}
