import './session-files.css'
import type { SessionNeighbours } from '@gemini-dash/api'
import { FolderOpen } from 'lucide-react'
import { formatPlural } from '../../lib/figures/format.ts'
import { SectionFold } from '../../ui/controls/section-fold.tsx'
import { FileList } from './file-list.tsx'
import { fileRows } from './file-rows.ts'
import { PlanFile } from './plan-file.tsx'
import { TaskList } from './task-list.tsx'
import { TypedList } from './typed-list.tsx'

interface Props {
  sessionRef: string
  neighbours: SessionNeighbours
  onJump: (messageKey: string, offset: number | null) => void
}

/** What the CLI keeps of the session outside its file. Nothing where there is nothing. */
export function SessionFiles({ sessionRef, neighbours, onJump }: Props) {
  const { plans, tasks, typedOnly, leftOut } = neighbours
  const rows = fileRows(neighbours)
  const summary = [
    count(plans.length, 'plan'),
    count(tasks.length, 'task'),
    count(rows.length, 'other file'),
    count(typedOnly.length, 'typed line'),
  ].filter((part) => part !== null)
  if (summary.length === 0) return null
  return (
    <SectionFold
      icon={FolderOpen}
      title="Files beside this session"
      note={summary.join(', ')}
      bodyClassName="session-files-body"
    >
      {() => (
        <>
          {plans.map((plan) => (
            <PlanFile key={plan.file.id} sessionRef={sessionRef} plan={plan} />
          ))}
          {tasks.length > 0 && <TaskList tasks={tasks} />}
          {rows.length > 0 && <FileList sessionRef={sessionRef} rows={rows} onJump={onJump} />}
          {typedOnly.length > 0 && <TypedList typed={typedOnly} />}
          {leftOut > 0 && (
            <p className="session-files-note">{formatPlural(leftOut, 'older file')} are not shown.</p>
          )}
        </>
      )}
    </SectionFold>
  )
}

function count(many: number, one: string): string | null {
  return many === 0 ? null : formatPlural(many, one)
}
