import './resume-dialog.css'
import type { Shell } from '@gemini-dash/api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resumeQuery } from '../../api/session/session.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { ShellCommand } from '../../ui/controls/shell-command.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { Notice } from '../../ui/states/notice.tsx'

const RESUME_SHELLS: { value: Shell; label: string }[] = [
  { value: 'posix', label: 'bash, zsh, sh' },
  { value: 'powershell', label: 'PowerShell' },
]

/** The command, where to type it, and what the evidence says against it. */
export default function ResumeDialog({ sessionRef, onClose }: { sessionRef: string; onClose: () => void }) {
  const [shell, setShell] = useState<Shell>(/Win/.test(navigator.platform) ? 'powershell' : 'posix')
  // the command for one shell stays, faint, until that for the other is here: the switch between them is not taken away
  const { data, isPlaceholderData, error, refetch } = useQuery({
    ...resumeQuery(sessionRef, shell),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog title="Resume with Gemini CLI" shape="wide" onClose={onClose}>
      {error !== null && (
        <Failed what="The command could not be made." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && data.command !== null && (
        <div className={classNames('resume-command', isPlaceholderData && 'stale')}>
          <p>Type this into a terminal. Nothing is started from here.</p>
          <ShellCommand line={data.command} />
        </div>
      )}
      {(data === undefined ? error !== null : data.command !== null) && (
        <div className="resume-shell">
          <Segmented label="Shell" options={RESUME_SHELLS} value={shell} onChange={setShell} />
          {data !== undefined && data.needs !== null && <span>Needs Gemini CLI {data.needs} or later.</span>}
        </div>
      )}
      {data?.notes.map((note) => (
        <Notice key={note} tone="warning">
          {note}
        </Notice>
      ))}
    </Dialog>
  )
}
