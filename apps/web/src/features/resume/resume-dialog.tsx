import './resume-dialog.css'
import type { Resume, Shell } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resumeQuery } from '../../api/session/session.ts'
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
  const { data, error, refetch } = useQuery(resumeQuery(sessionRef, shell))
  return (
    <Dialog title="Resume with Gemini CLI" shape="wide" onClose={onClose}>
      {error !== null && (
        <Failed what="The command could not be made." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && <Plan plan={data} shell={shell} onShell={setShell} />}
    </Dialog>
  )
}

interface PlanProps {
  plan: Resume
  shell: Shell
  onShell: (shell: Shell) => void
}

function Plan({ plan: { command, needs, notes }, shell, onShell }: PlanProps) {
  const told = notes.map((note) => (
    <Notice key={note} tone="warning">
      {note}
    </Notice>
  ))
  if (command === null) return told
  return (
    <>
      <p>Type this into a terminal. Nothing is started from here.</p>
      <ShellCommand line={command} />
      <div className="resume-shell">
        <Segmented label="Shell" options={RESUME_SHELLS} value={shell} onChange={onShell} />
        {needs !== null && <span>Needs Gemini CLI {needs} or later.</span>}
      </div>
      {told}
    </>
  )
}
