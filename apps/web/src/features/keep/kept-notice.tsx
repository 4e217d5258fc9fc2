import './keep.css'
import type { SessionDetail } from '@gemini-dash/api'
import { addedFrom } from '@gemini-dash/api/source-names'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { MachineText } from '../../content/machine-text.tsx'
import { formatDateTime } from '../../lib/dates.ts'
import { useNow } from '../../lib/list-hooks.ts'
import { describeDeleted } from '../../lib/session-words.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { Notice } from '../../ui/states.tsx'

const DIALOGS = {
  recover: lazyDialog(() => import('./recover-dialog.tsx')),
  forget: lazyDialog(() => import('./forget-dialog.tsx')),
}

/** Notice that a session exists only in the archive, entirely or in part, with what can be done. */
export function KeptNotice({ session }: Pick<SessionDetail, 'session'>) {
  const now = useNow()
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const lost = session.files.flatMap(({ home, path, kept }) =>
    kept === undefined ? [] : [{ place: `${home}/${path.replace(/\.kept-\d+$/, '')}`, ...kept }],
  )
  if (lost.length === 0) return null
  const whole = describeDeleted(session, now)
  const isAdded = addedFrom(session) !== null
  const Dialog = opened === null ? null : DIALOGS[opened]
  return (
    <div className="kept-notice">
      <Notice>
        {whole === null ? (
          <p>
            <b>Part of this session was deleted from the Gemini folder.</b> It is shown in its place, from the
            archive.{' '}
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
            <b>{whole}.</b>{' '}
            {isAdded
              ? 'It was never in the Gemini folder: everything here is read from the archive, and Gemini CLI can’t resume it.'
              : 'Everything here is read from the archive. Gemini CLI can’t resume it unless you recover it.'}
          </p>
        )}
        <p className="kept-actions">
          <Link to="/" search={{ deleted: 'only' }} className="link">
            All deleted sessions
          </Link>
          {session.kind === 'main' && !isAdded && (
            <Button size="tiny" onClick={() => setOpened('recover')}>
              Recover…
            </Button>
          )}
          <Button look="quiet" size="tiny" onClick={() => setOpened('forget')}>
            Delete from gemini-dash…
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
