import type { SessionSummary } from 'gemini-sessions'
import { MachineText } from '../../content/machine-text.tsx'
import { formatPlural } from '../../lib/format.ts'
import { Notice } from '../../ui/notice.tsx'

/** Says what of the session's files could not be read, and where they are. Nothing where all is well. */
export function SessionFileNotice({ session }: { session: SessionSummary }) {
  const damaged = session.files.filter((file) => file.role === 'damaged')
  if (damaged.length === 0 && session.issues === 0) return null
  const isEmpty = session.counts?.messages === 0
  const files = damaged.length > 0 ? damaged : session.files
  return (
    <div className="session-file-notice">
      <Notice tone="warning">
        {isEmpty
          ? 'This file could not be read as a session. '
          : `${formatPlural(session.issues, 'place')} of this session could not be read; the rest is below. `}
        {files.map((file) => (
          <span key={`${file.home} ${file.path}`} className="mono" dir="ltr">
            <MachineText text={`${file.home}/${file.path}`} />{' '}
          </span>
        ))}
        {isEmpty && 'The command “gemini-dash doctor” names the reason.'}
      </Notice>
    </div>
  )
}
