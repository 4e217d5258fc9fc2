import type { TrackerTask } from 'gemini-sessions'
import { Ban, Circle, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react'
import { MachineText } from '../../content/text/machine-text.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { orderTasks } from './order-tasks.ts'

const ICONS: Record<string, LucideIcon> = {
  open: Circle,
  in_progress: CircleDot,
  blocked: Ban,
  closed: CircleCheck,
}

/** The tracker's tasks as a checklist, subtasks below what they are part of. */
export function TaskList({ tasks }: { tasks: readonly TrackerTask[] }) {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]))
  return (
    <ul className="task-list" aria-label="Tasks">
      {orderTasks(tasks).map(({ task, isNested }) => {
        const { id, title, description, type, status, dependencies, scope } = task
        const state = Object.hasOwn(ICONS, status) ? status : 'open'
        const waitsFor = dependencies.map((dependency) => titles.get(dependency) ?? dependency)
        return (
          <li key={`${scope} ${id}`} className={`${state}${isNested ? ' nested' : ''}`}>
            <Icon of={ICONS[state] ?? Circle} />
            <span className="task-text" dir="auto">
              <b>
                <MachineText text={title} />
              </b>
              {description !== '' && (
                <span className="task-description">
                  <MachineText text={description} />
                </span>
              )}
              {waitsFor.length > 0 && (
                <span className="beside-remark">
                  after <MachineText text={waitsFor.join(', ')} />
                </span>
              )}
              {scope === 'project' && (
                <span className="beside-remark">of the project, not of one session</span>
              )}
            </span>
            <span className="beside-remark">
              {type === 'task' || type === '' ? '' : `${type}, `}
              {status.replaceAll('_', ' ') || 'no status'}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
