import './kept-notice.css'
import type { SessionDetail } from '@gemini-dash/api'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForget } from '../../api/keep.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatDateTime } from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { describeDeleted } from '../../lib/session/describe-deletion.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** Says of a session that it is left in the archive alone, in whole or in part, what that means and what can be done. */
export function KeptNotice({ session }: Pick<SessionDetail, 'session'>) {
  const now = useNow()
  const [isForgetting, setIsForgetting] = useState(false)
  const lost = session.files.flatMap(({ home, path, kept }) =>
    kept === undefined ? [] : [{ place: `${home}/${path.replace(/\.kept-\d+$/, '')}`, ...kept }],
  )
  if (lost.length === 0) return null
  const whole = describeDeleted(session, now)
  return (
    <div className="kept-notice">
      <Notice>
        {whole === null ? (
          <p>
            <b>A part of this session is not in its home any more.</b> It is shown where it stood, from what
            gemini-dash kept.{' '}
            {lost.map(({ place, cause, lastSeen }) => (
              <span key={`${place} ${lastSeen}`}>
                <span className="mono" dir="ltr">
                  <MachineText text={place} />
                </span>{' '}
                was {cause}, last seen {formatDateTime(lastSeen)}.{' '}
              </span>
            ))}
          </p>
        ) : (
          <p>
            <b>{whole}.</b> gemini-dash kept it: everything here is read from its archive. Gemini CLI cannot
            go on with it.
          </p>
        )}
        {isForgetting ? (
          <ForgetQuestion sessionKey={session.key} onCancel={() => setIsForgetting(false)} />
        ) : (
          <p className="kept-actions">
            <Link to="/" search={{ deleted: 'only' }} className="link">
              All deleted sessions
            </Link>
            <Button look="quiet" size="tiny" onClick={() => setIsForgetting(true)}>
              Forget it…
            </Button>
          </p>
        )}
      </Notice>
    </div>
  )
}

/** Asked twice: what is erased, and then once more that it is for good. */
function ForgetQuestion({ sessionKey, onCancel }: { sessionKey: string; onCancel: () => void }) {
  const [isSure, setIsSure] = useState(false)
  const forget = useForget(sessionKey)
  const navigate = useNavigate()
  const goOn = () =>
    isSure ? forget.mutate(undefined, { onSuccess: () => void navigate({ to: '/' }) }) : setIsSure(true)
  return (
    <fieldset className="kept-question" aria-label="Forget this session">
      <p>
        {isSure ? (
          <b>It will be gone for good, and cannot be brought back.</b>
        ) : (
          'Erase this session and its sub-agents from the archive, the index and your marks? What is still in a home is left alone, and not kept again.'
        )}
      </p>
      <p className="kept-actions">
        <Button key={String(isSure)} disabled={forget.isPending} onClick={goOn}>
          {isSure ? (forget.isPending ? 'Forgetting…' : 'Forget it for good') : 'Forget…'}
        </Button>
        <Button look="quiet" disabled={forget.isPending} onClick={onCancel} autoFocus>
          Cancel
        </Button>
      </p>
      {forget.error !== null && <p role="alert">{forget.error.message}</p>}
    </fieldset>
  )
}
