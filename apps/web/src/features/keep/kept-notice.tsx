import './kept-notice.css'
import type { SessionDetail } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatDateTime } from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { describeDeleted } from '../../lib/session/describe-deletion.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Notice } from '../../ui/states/notice.tsx'

const DIALOGS = {
  recover: lazyDialog(() => import('./recover-dialog.tsx')),
  forget: lazyDialog(() => import('./forget-dialog.tsx')),
}

/** Says of a session that it is left in the archive alone, in whole or in part, what that means and what can be done. */
export function KeptNotice({ session }: Pick<SessionDetail, 'session'>) {
  const now = useNow()
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const lost = session.files.flatMap(({ home, path, kept }) =>
    kept === undefined ? [] : [{ place: `${home}/${path.replace(/\.kept-\d+$/, '')}`, ...kept }],
  )
  if (lost.length === 0) return null
  const whole = describeDeleted(session, now)
  const Dialog = opened === null ? null : DIALOGS[opened]
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
            go on with it, unless you recover it.
          </p>
        )}
        <p className="kept-actions">
          <Link to="/" search={{ deleted: 'only' }} className="link">
            All deleted sessions
          </Link>
          {session.kind === 'main' && (
            <Button size="tiny" onClick={() => setOpened('recover')}>
              Recover…
            </Button>
          )}
          <Button look="quiet" size="tiny" onClick={() => setOpened('forget')}>
            Forget it…
          </Button>
        </p>
      </Notice>
      {Dialog !== null && (
        <Suspense>
          <Dialog session={session} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  )
}
