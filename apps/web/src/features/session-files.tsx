import './session-files.css'
import type { SessionNeighbours } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { NeighbourFile, Plan, TrackerTask, TypedOnly } from 'gemini-sessions'
import { Ban, Circle, CircleCheck, CircleDot, type LucideIcon, Map as MapIcon } from 'lucide-react'
import { MachineText } from '../content/machine-text.tsx'
import { Markdown } from '../content/markdown.tsx'
import { neighbourHref } from '../content/stored-files.tsx'
import { formatDateTime } from '../lib/dates.ts'
import { formatPlural, formatSize } from '../lib/figures.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { TimeText } from '../ui/figures.tsx'
import { Icon } from '../ui/icons.tsx'

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

/** What the CLI stores about the session outside its file. */
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

/** A plan as written, collapsed at first. */
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
                  Save the whole file
                </a>
              </p>
            )}
          </>
        )}
      </Disclosure>
    </div>
  )
}

/** The tracker's tasks as a checklist, subtasks below their parents. */
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

/** Prompts and commands that are only in the project's log of typed lines. */
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
          head={<span>Commands answered by Gemini CLI itself ({commands.length})</span>}
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

interface FileListProps {
  sessionRef: string
  rows: readonly FileRow[]
  onJump: (messageKey: string, offset: number | null) => void
}

/** Files with kind, size and time, each downloadable; deleted ones are marked. */
function FileList({ sessionRef, rows, onJump }: FileListProps) {
  return (
    <ul className="beside-list" aria-label="Other files">
      {rows.map((row) => (
        <li key={row.key}>
          <span className="beside-kind">{row.kind}</span>
          <span className="beside-name">
            <span className="mono" dir="ltr">
              <MachineText text={row.name} />
            </span>
            {row.remark !== '' && (
              <span className="beside-remark" dir="auto">
                <MachineText text={row.remark} />
              </span>
            )}
            {row.isShared && <span className="beside-remark">of the project, not of one session</span>}
          </span>
          {row.file === null ? (
            <span className="beside-remark">no longer there</span>
          ) : (
            <span className="beside-remark">
              {formatSize(row.file.sizeBytes)}{' '}
              {row.time === null ? (
                <>
                  file of{' '}
                  <TimeText time={row.file.modifiedTime}>{formatDateTime(row.file.modifiedTime)}</TimeText>
                </>
              ) : (
                <TimeText time={row.time}>{formatDateTime(row.time)}</TimeText>
              )}
            </span>
          )}
          <span className="beside-actions">
            <ShowButton messageKey={row.messageKey} onJump={onJump} />
            {row.file !== null && (
              <a className="button quiet tiny" href={neighbourHref(sessionRef, row.file)} download>
                Save
              </a>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function ShowButton({ messageKey, onJump }: Pick<FileRow, 'messageKey'> & Pick<FileListProps, 'onJump'>) {
  if (messageKey === null) return null
  return (
    <Button look="quiet" size="tiny" onClick={() => onJump(messageKey, null)}>
      Show
    </Button>
  )
}

interface FileRow {
  key: string
  /** Kind of file, as shown. */
  kind: string
  name: string
  /** null if it no longer exists. */
  file: NeighbourFile | null
  /** Restore points have their time in the name. null: not recorded, only the file's date is known. */
  time: string | null
  /** The message that the file belongs to. */
  messageKey: string | null
  /** Additional remark. */
  remark: string
  isShared: boolean
}

/** Outputs, pictures, restore points and other files as rows of one list. */
export function fileRows({ savedOutputs, images, restorePoints, otherFiles }: SessionNeighbours): FileRow[] {
  return [
    ...savedOutputs.map(({ name, file, messageKey, toolName }) => ({
      kind: 'Saved output',
      name,
      file,
      time: null,
      messageKey,
      remark: toolName === null ? 'of a call that is not recorded' : `of ${toolLabel(toolName)}`,
      isShared: false,
    })),
    ...images.map(({ name, file, messageKey }) => ({
      kind: 'Pasted picture',
      name,
      file,
      time: null,
      messageKey,
      remark: '',
      isShared: false,
    })),
    ...restorePoints.map(({ file, time, targetName, toolName, commit, scope }) => ({
      kind: 'Restore point',
      name: nameOf(file),
      file,
      time,
      messageKey: null,
      remark: restoreRemark(targetName, toolName, commit),
      isShared: scope === 'project',
    })),
    ...otherFiles.map((file) => ({
      kind: 'Other file',
      name: nameOf(file),
      file,
      time: null,
      messageKey: null,
      remark: '',
      isShared: false,
    })),
  ].map((row, index) => ({ key: row.file?.id ?? `${index} ${row.name}`, ...row }))
}

function restoreRemark(target: string | null, tool: string | null, commit: string | null): string {
  const edit = target === null ? '' : `before ${toolLabel(tool ?? 'an edit')} of ${target}`
  return [edit, commit === null ? '' : `commit ${commit.slice(0, 8)}`]
    .filter((part) => part !== '')
    .join(', ')
}

function nameOf({ path }: NeighbourFile): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Each task followed by its subtasks; a cycle of parents ends where it started. */
export function orderTasks(tasks: readonly TrackerTask[]): { task: TrackerTask; isNested: boolean }[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const placed = new Set<TrackerTask>()
  const ordered: { task: TrackerTask; isNested: boolean }[] = []
  const place = (task: TrackerTask, isNested: boolean) => {
    if (placed.has(task)) return
    placed.add(task)
    ordered.push({ task, isNested })
    for (const part of tasks) if (part.parentId === task.id) place(part, true)
  }
  for (const task of tasks) if (task.parentId === null || !ids.has(task.parentId)) place(task, false)
  for (const task of tasks) place(task, false)
  return ordered
}
