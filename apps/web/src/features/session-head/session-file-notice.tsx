import type { SessionDetail } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { doctorQuery } from '../../api/doctor.ts'
import { UnreadMark } from '../../content/badges/session-badges.tsx'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { Notice } from '../../ui/states/notice.tsx'

/** Says what of the session's files could not be read, and where they are. Nothing where all is well. */
export function SessionFileNotice({
  session,
  messageTotal,
}: Pick<SessionDetail, 'session' | 'messageTotal'>) {
  const hasTrouble = session.issues > 0 || session.files.some((file) => file.role === 'damaged')
  const doctor = useQuery({ ...doctorQuery(), enabled: hasTrouble })
  const damaged = session.files.filter((file) => file.role === 'damaged')
  if (session.unread !== undefined && session.unread.asOf !== null) {
    return (
      <div className="session-file-notice">
        <UnreadMark unread={session.unread} />
      </div>
    )
  }
  if (!hasTrouble) return null
  // what is shown from the archive says so itself
  const files = damaged.length > 0 ? damaged : session.files.filter(({ kept }) => kept === undefined)
  const skipped = doctor.data?.files.skipped.find(({ path }) =>
    files.some((file) => path.endsWith(file.path)),
  )
  return (
    <div className="session-file-notice">
      <Notice tone="warning">
        {trouble(messageTotal, damaged.length > 0, session.issues)} {skipped?.reason}{' '}
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

function trouble(messageTotal: number, isDamaged: boolean, issues: number): string {
  if (messageTotal === 0) return 'This file could not be read as a session.'
  if (isDamaged) return 'Only part of this file could be read, so its figures are not counted.'
  return `${formatPlural(issues, 'place')} of this session could not be read; the rest is below.`
}
