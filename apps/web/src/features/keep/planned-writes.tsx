import type { RecoverAnswer, Shell } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { resumeQuery } from '../../api/session/session.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatSize } from '../../lib/figures/format.ts'
import { ShellCommand } from '../../ui/controls/shell-command.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** The new files that are, or would be, written into a home, and what is to be known of them. */
export function PlannedWrites({
  answer: { home, writes, refused, notes },
  isDone,
}: {
  answer: Pick<RecoverAnswer, 'home' | 'writes' | 'refused' | 'notes'>
  isDone: boolean
}) {
  return (
    <>
      {refused.map(({ code, message }) => (
        <Notice key={`${code} ${message}`} tone="warning">
          {message}
        </Notice>
      ))}
      {writes.length > 0 && (
        <>
          <p role="status">
            {isDone ? 'Written, and read back, in ' : 'New files, and nothing else, in '}
            <span className="mono" dir="ltr">
              <MachineText text={home ?? ''} />
            </span>
          </p>
          <ul className="dialog-form-files">
            {writes.map(({ path, sizeBytes }) => (
              <li key={path}>
                <span className="mono" dir="ltr">
                  <MachineText text={path} />
                </span>{' '}
                <span className="tabular">{formatSize(sizeBytes)}</span>
              </li>
            ))}
          </ul>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </>
      )}
    </>
  )
}

/** The command that goes on with a session that was written. */
export function GoOn({ sessionRef }: { sessionRef: string }) {
  const shell: Shell = /Win/.test(navigator.platform) ? 'powershell' : 'posix'
  const { data } = useQuery(resumeQuery(sessionRef, shell))
  return data?.command ? <ShellCommand line={data.command} /> : null
}
