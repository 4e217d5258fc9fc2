import type { SessionDetail } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { doctorQuery } from '../../api/doctor.ts'
import { UnreadMark } from '../../content/badges/session-badges.tsx'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatDateTime, formatPlural } from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { describeDeleted } from '../../lib/session/describe-deletion.ts'
import { Notice } from '../../ui/states/notice.tsx'

/** Says of a session that it is left in the archive alone, in whole or in part, what that means and what can be done. */
export function KeptNotice({ session }: Pick<SessionDetail, 'session'>) {
  const now = useNow()
  const lost = session.files.flatMap(({ home, path, kept }) =>
    kept === undefined ? [] : [{ place: `${home}/${path.replace(/\.kept-\d+$/, '')}`, ...kept }],
  )
  if (lost.length === 0) return null
  const whole = describeDeleted(session, now)
  return (
    <div className="session-file-notice">
      <Notice>
        {whole === null ? <b>A part of this session is not in its home any more.</b> : <b>{whole}.</b>}{' '}
        {whole === null
          ? 'It is shown where it stood, from what gemini-dash kept.'
          : 'gemini-dash kept it: everything here is read from its archive. Gemini CLI cannot go on with it.'}{' '}
        {whole === null &&
          lost.map(({ place, cause, lastSeen }) => (
            <span key={`${place} ${lastSeen}`}>
              <span className="mono" dir="ltr">
                <MachineText text={place} />
              </span>{' '}
              was {cause}, last seen {formatDateTime(lastSeen)}.{' '}
            </span>
          ))}
        <Link to="/" search={{ deleted: 'only' }} className="link">
          All deleted sessions
        </Link>
      </Notice>
    </div>
  )
}

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
  const files = damaged.length > 0 ? damaged : session.files
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
