import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { doctorQuery } from '../../api/doctor.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatPlural } from '../../lib/format.ts'
import { Notice } from '../../ui/notice.tsx'

/** Says what of the session's files could not be read, and where they are. Nothing where all is well. */
export function SessionFileNotice({ session }: { session: SessionSummary }) {
  const hasTrouble = session.issues > 0 || session.files.some((file) => file.role === 'damaged')
  const doctor = useQuery({ ...doctorQuery(), enabled: hasTrouble })
  const damaged = session.files.filter((file) => file.role === 'damaged')
  if (!hasTrouble) return null
  const isEmpty = session.counts?.messages === 0
  const files = damaged.length > 0 ? damaged : session.files
  const skipped = doctor.data?.files.skipped.find(({ path }) =>
    files.some((file) => path.endsWith(file.path)),
  )
  return (
    <div className="session-file-notice">
      <Notice tone="warning">
        {isEmpty
          ? `This file could not be read as a session. ${skipped?.reason ?? ''} `
          : `${formatPlural(session.issues, 'place')} of this session could not be read; the rest is below. `}
        {files.map((file) => (
          <span key={`${file.home} ${file.path}`} className="mono" dir="ltr">
            <MachineText text={`${file.home}/${file.path}`} />{' '}
          </span>
        ))}
        <Link to="/doctor" className="link">
          What to do
        </Link>
      </Notice>
    </div>
  )
}
