import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leavingSessionsQuery } from '../../api/session/session.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { type ExportChoice, ExportChoices, isTooMuchKept, useExportChoice } from './export-choices.tsx'
import { ExportFrame } from './export-frame.tsx'
import { ExportSessionReview } from './export-review-list.tsx'
import { REDACTED_KINDS } from './redacted-kinds.ts'

/** Each is read to be reviewed. */
const REVIEWED_AT_ONCE = 20

interface Props {
  /** Which sessions, as `/api/export` is asked. */
  which: Record<string, string | undefined>
  /** The same in words. */
  said: string
  onClose: () => void
}

/** How several sessions leave together: what is taken out is chosen by kind, or text by text in each of them. */
export default function ExportSeveralDialog({ which, said, onClose }: Props) {
  const { choice, choose, isRedacted, queryOf } = useExportChoice()
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const toggle = (kind: string) => {
    const next = new Set(kept)
    if (!next.delete(kind)) next.add(kind)
    setKept(next)
  }
  const query = queryOf(kept)
  const isTooMuch = isTooMuchKept(query)
  return (
    <ExportFrame
      title={`Export ${said}`}
      href={isTooMuch ? null : apiPaths.exportedSeveral({ ...which, ...query })}
      onClose={onClose}
    >
      <p className="dialog-said">A file for each session, together in a zip.</p>
      <ExportChoices choice={choice} onChoose={choose} />
      {isTooMuch && (
        <Notice tone="warning">So many single texts cannot be left in. Leave in their whole kind.</Notice>
      )}
      {isRedacted && (
        <>
          <fieldset className="export-kinds">
            <legend className="dialog-said">What is taken out of all of them.</legend>
            {Object.entries(REDACTED_KINDS).map(([kind, name]) => (
              <label key={kind} className="export-kind-head">
                <input type="checkbox" checked={!kept.has(kind)} onChange={() => toggle(kind)} />
                <b>{name}</b>
              </label>
            ))}
          </fieldset>
          <Reviews which={which} choice={choice} kept={kept} onKept={setKept} />
        </>
      )}
    </ExportFrame>
  )
}

interface ReviewsProps extends Pick<Props, 'which'> {
  choice: ExportChoice
  kept: ReadonlySet<string>
  onKept: (kept: ReadonlySet<string>) => void
}

/** What is taken out of each session, so many of them at a time. */
function Reviews({ which, choice: { format, depth }, kept, onKept }: ReviewsProps) {
  const [shown, setShown] = useState(REVIEWED_AT_ONCE)
  const { data, error, refetch } = useQuery(leavingSessionsQuery(which))
  if (error !== null)
    return <Failed what="The sessions could not be listed." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={8} label="Looking which sessions leave" />
  const { sessions } = data
  const left = sessions.length - shown
  return (
    <section aria-label="What is taken out of each session" className="export-review">
      <p className="dialog-said">A text that is left in is left in all of them.</p>
      {sessions.slice(0, shown).map(({ key, title }) => (
        <ExportSessionReview
          key={key}
          title={title}
          sessionRef={key}
          format={format}
          depth={depth}
          kept={kept}
          onKept={onKept}
        />
      ))}
      {left > 0 && (
        <Button look="quiet" size="tiny" onClick={() => setShown(shown + REVIEWED_AT_ONCE)}>
          Review {formatPlural(Math.min(left, REVIEWED_AT_ONCE), 'more session')}
        </Button>
      )}
    </section>
  )
}
