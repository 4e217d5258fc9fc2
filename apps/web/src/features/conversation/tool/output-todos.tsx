import './output-todos.css'
import type { ToolOutput } from 'gemini-sessions'
import { Ban, Circle, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react'
import { MarkedText } from '../../../content/marked-text.tsx'
import { Icon } from '../../../ui/icon.tsx'

const ICONS: Record<string, LucideIcon> = {
  completed: CircleCheck,
  in_progress: CircleDot,
  cancelled: Ban,
  blocked: Ban,
}

/** A todo list with the state of each task in an icon and a word. */
export function OutputTodos({ output }: { output: Extract<ToolOutput, { kind: 'todos' }> }) {
  if (output.todos.length === 0) return <p className="output-remark">The list is empty.</p>
  return (
    <ul className="todos">
      {withKeys(output.todos).map(({ key, description, status }) => (
        <li key={key} className={`todo ${Object.hasOwn(ICONS, status) ? status : 'pending'}`}>
          <Icon of={(Object.hasOwn(ICONS, status) ? ICONS[status] : undefined) ?? Circle} />
          <span dir="auto">
            <MarkedText text={description} />
          </span>
          <span className="todo-word">{status.replaceAll('_', ' ')}</span>
        </li>
      ))}
    </ul>
  )
}

/** Tasks have no id; two may read the same. */
function withKeys(todos: Extract<ToolOutput, { kind: 'todos' }>['todos']) {
  return todos.map((todo, index) => ({ ...todo, key: `${index} ${todo.description}` }))
}
