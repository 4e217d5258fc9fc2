import './output-todos.css'
import type { ToolOutput } from 'gemini-sessions'
import { Ban, Circle, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react'
import { MarkedText } from '../../../../content/text/marked-text.tsx'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { formatPlural } from '../../../../lib/figures/format.ts'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { type ChangedTodo, todoChanges } from './todo-changes.ts'

const ICONS: Record<string, LucideIcon> = {
  completed: CircleCheck,
  in_progress: CircleDot,
  cancelled: Ban,
  blocked: Ban,
}

/** A todo list with the state of each task in an icon and a word, and what changed since the list before. */
export function OutputTodos({ output }: { output: Extract<ToolOutput, { kind: 'todos' }> }) {
  const { todos, previous } = output
  if (todos.length === 0 && previous === undefined) return <p className="output-remark">The list is empty.</p>
  const done = todos.filter(({ status }) => status === 'completed').length
  return (
    <div className="todos">
      <p className="todo-progress">
        <progress value={done} max={Math.max(todos.length, 1)} aria-label="Tasks done" />
        {done} of {formatPlural(todos.length, 'task')} done
      </p>
      <ul>
        {todoChanges(todos, previous).map((todo) => (
          <Todo key={todo.key} todo={todo} />
        ))}
      </ul>
    </div>
  )
}

function Todo({ todo }: { todo: ChangedTodo }) {
  const { description, status, depth, change } = todo
  const isKnown = Object.hasOwn(ICONS, status)
  const state = change === 'removed' ? 'cancelled' : isKnown ? status : 'pending'
  return (
    <li className={classNames('todo', state, change !== null && 'changed', depth > 0 && `depth-${depth}`)}>
      <Icon of={(isKnown ? ICONS[status] : undefined) ?? Circle} />
      <span dir="auto">
        <MarkedText text={description} />
      </span>
      <span className="todo-word">{wordOf(change, status)}</span>
    </li>
  )
}

function wordOf(change: ChangedTodo['change'], status: string): string {
  const word = status.replaceAll('_', ' ')
  if (change === 'removed') return 'dropped'
  if (change === 'added') return `new, ${word}`
  return change === 'moved' ? `now ${word}` : word
}
