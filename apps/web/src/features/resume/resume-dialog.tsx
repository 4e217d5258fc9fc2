import type { Shell } from '@gemini-dash/api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resumeQuery } from '../../api/session.ts'
import { classNames } from '../../lib/browser.ts'
import { Segmented, ShellCommand } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed, Notice } from '../../ui/states.tsx'

const RESUME_SHELLS: { value: Shell; label: string }[] = [
  { value: 'posix', label: 'bash, zsh, sh' },
  { value: 'powershell', label: 'PowerShell' },
]

interface Props {
  sessionRef: string
  /** The turn before which a new session branches off; null: resumes at the end. */
  at?: number | null
  onClose: () => void
}

/** The resume command, where to run it, and reasons that it may not work. */
export default function ResumeDialog({ sessionRef, at = null, onClose }: Props) {
  const [shell, setShell] = useState<Shell>(/Win/.test(navigator.platform) ? 'powershell' : 'posix')
  // keeps the previous command, dimmed, while the other shell's loads, so that the switch stays in place
  const { data, isPlaceholderData, error, refetch } = useQuery({
    ...resumeQuery(sessionRef, shell, at),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog
      title={at === null ? 'Resume with Gemini CLI' : 'Continue from here'}
      shape="wide"
      onClose={onClose}
    >
      {error !== null && (
        <Failed what="The command could not be made." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && data.command !== null && (
        <div className={classNames('flex flex-col gap-3', isPlaceholderData && 'stale')}>
          {at !== null && <p>A new session with everything before this prompt. This one stays unchanged.</p>}
          <p>
            Type this into a terminal.{' '}
            {at === null
              ? 'Nothing is started from here.'
              : 'It writes the new session and prints how to resume it. Nothing is written from here.'}
          </p>
          <ShellCommand line={data.command} />
        </div>
      )}
      {(data === undefined ? error !== null : data.command !== null) && (
        <div className="label flex flex-wrap items-center gap-x-4 gap-y-2">
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
