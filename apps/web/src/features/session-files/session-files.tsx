import './session-files.css'
import type { SessionNeighbours } from '@gemini-dash/api'
import type { Plan, TrackerTask, TypedOnly } from 'gemini-sessions'
import { Ban, Circle, CircleCheck, CircleDot, type LucideIcon, Map as MapIcon } from 'lucide-react'
import { Markdown } from '../../content/markdown/markdown.tsx'
import { neighbourHref } from '../../content/neighbours/neighbour-context.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatDateTime, formatPlural, formatSize } from '../../lib/figures/format.ts'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { FileList } from './file-list.tsx'
import { fileRows } from './file-rows.ts'
import { orderTasks } from './order-tasks.ts'

const ICONS: Record<string, LucideIcon> = {
  open: Circle,
  in_progress: CircleDot,
  blocked: Ban,
  closed: CircleCheck,
}

interface Props {
  sessionRef: string
  neighbours: SessionNeighbours
  onJump: (messageKey: string, offset: number | null) => void
}

/** Plans, tasks, other files and typed lines. */
export function countBeside(neighbours: SessionNeighbours): number {
  const { plans, tasks, typedOnly } = neighbours
  return plans.length + tasks.length + fileRows(neighbours).length + typedOnly.length
}

/** What the CLI keeps of the session outside its file. */
export function SessionFilesView({ sessionRef, neighbours, onJump }: Props) {
  const { plans, tasks, typedOnly, leftOut } = neighbours
  const rows = fileRows(neighbours)
  return (
    <section className="session-files-body" aria-label="Files beside this session">
      {plans.map((plan) => (
        <PlanFile key={plan.file.id} sessionRef={sessionRef} plan={plan} />
      ))}
      {tasks.length > 0 && <TaskList tasks={tasks} />}
      {rows.length > 0 && <FileList sessionRef={sessionRef} rows={rows} onJump={onJump} />}
      {typedOnly.length > 0 && <TypedList typed={typedOnly} />}
      {leftOut > 0 && (
        <p className="session-files-note">{formatPlural(leftOut, 'older file')} are not shown.</p>
      )}
    </section>
  )
}

/** A plan as it was written, folded until it is asked for. */
function PlanFile({ sessionRef, plan }: { sessionRef: string; plan: Plan }) {
  const { file, text, isCut, scope } = plan
  return (
    <div className="plan-file">
      <Disclosure
        bodyClassName="plan-body"
        head={
          <>
            <Icon of={MapIcon} small />
            <span>Plan</span>
            <span className="mono plan-name" dir="ltr">
              <MachineText text={file.path.slice(file.path.lastIndexOf('/') + 1)} />
            </span>
            <span className="beside-remark">{formatSize(file.sizeBytes)}</span>
            {scope === 'project' && <span className="beside-remark">of the project, not of one session</span>}
          </>
        }
      >
        {() => (
          <>
            <Markdown text={text} isSmall />
            {isCut && (
              <p className="session-files-note">
                This is the beginning of {formatSize(file.sizeBytes)}.{' '}
                <a className="link" href={neighbourHref(sessionRef, file)} download>
                  Save all of it
                </a>
              </p>
            )}
          </>
        )}
      </Disclosure>
    </div>
  )
}

/** The tracker's tasks as a checklist, subtasks below what they are part of. */
function TaskList({ tasks }: { tasks: readonly TrackerTask[] }) {
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

/** Prompts and commands that only the project's log of typed lines knows. */
function TypedList({ typed }: { typed: readonly TypedOnly[] }) {
  const prompts = typed.filter(({ isCommand }) => !isCommand)
  const commands = typed.filter(({ isCommand }) => isCommand)
  return (
    <div className="typed-list">
      {prompts.length > 0 && (
        <>
          <p className="session-files-note">
            Typed in this session, but not in its file: a failed request or a rewind of an old version removes
            them.
          </p>
          <Lines lines={prompts} />
        </>
      )}
      {commands.length > 0 && (
        <Disclosure
          bodyClassName="typed-commands"
          head={<span>Commands typed, answered by the CLI itself ({commands.length})</span>}
        >
          {() => <Lines lines={commands} />}
        </Disclosure>
      )}
    </div>
  )
}

function Lines({ lines }: { lines: readonly TypedOnly[] }) {
  return (
    <ul>
      {withKeys(lines).map(({ key, text, timestamp }) => (
        <li key={key}>
          <span className="typed-text" dir="auto">
            <MachineText text={text} />
          </span>
          {timestamp !== null && (
            <span className="beside-remark">
              <TimeText time={timestamp}>{formatDateTime(timestamp)}</TimeText>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The same line can be typed twice in a second. */
function withKeys(lines: readonly TypedOnly[]) {
  return lines.map((line, index) => ({ ...line, key: `${index} ${line.timestamp}` }))
}
