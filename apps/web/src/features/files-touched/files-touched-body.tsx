import { useQuery } from '@tanstack/react-query'
import type { SessionSummary, TouchedFile } from 'gemini-sessions'
import { useState } from 'react'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { EditsByPrompt } from './edits-by-prompt.tsx'
import { FileTable } from './file-table.tsx'
import { foldersOf } from './folders-of.ts'

interface Props {
  sessionRef: string
  session: SessionSummary
  onJump: (messageKey: string, offset: number | null) => void
}

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'folders', label: 'By folder' },
  { value: 'prompts', label: 'By prompt' },
] as const

export function FilesTouchedBody({ sessionRef, session, onJump }: Props) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('files', sessionRef))
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('list')
  if (error !== null) return <Failed what="The files could not be listed." error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows count={4} label="Looking for the files of this session" />
  if (data.files.length === 0) {
    return (
      <p className="files-touched-note">
        No call of this session names a file. Shell commands are not looked into.
      </p>
    )
  }
  const folders = view !== 'folders' ? [{ folder: null, files: data.files }] : foldersOf(data.files)
  const projectKey = session.project.key
  return (
    <>
      <div className="files-touched-bar">
        <p className="files-touched-note">{summaryOf(data.files, data.agents)}</p>
        <Segmented label="Files as" value={view} options={VIEWS} onChange={setView} />
      </div>
      {view === 'prompts' ? (
        <EditsByPrompt sessionRef={sessionRef} onJump={onJump} />
      ) : (
        <>
          <FileTable
            sessionRef={sessionRef}
            sessionKey={session.key}
            projectKey={projectKey}
            folders={folders}
            onJump={onJump}
          />
          <p className="files-touched-note">
            Shell commands are not looked into: what they touch would be a guess.
            {data.agentsLeftOut > 0 &&
              ` ${formatPlural(data.agentsLeftOut, 'sub-agent')} more were not read.`}
          </p>
        </>
      )}
    </>
  )
}

function summaryOf(files: readonly TouchedFile[], agents: number): string {
  const changed = files.filter(({ writes, edits }) => writes + edits > 0).length
  const made = files.filter(({ isNew }) => isNew).length
  const parts = [
    formatPlural(files.length, 'path'),
    `${changed} changed`,
    ...(made > 0 ? [`${made} of them new`] : []),
  ]
  const withAgents = agents > 0 ? `, ${formatPlural(agents, 'sub-agent')} included` : ''
  return `${parts.join(', ')}${withAgents}.`
}
