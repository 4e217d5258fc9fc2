import './export.css'
import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { sessionsToExportQuery } from '../../api/session.ts'
import { formatPlural } from '../../lib/figures.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed, Notice, SkeletonRows } from '../../ui/states.tsx'
import {
  type ExportChoice,
  ExportChoices,
  ExportSessionReview,
  isTooMuchKept,
  REDACTED_KINDS,
  useDownload,
  useExportChoice,
} from './export-review.tsx'

/** Reviewing a session requires reading it. */
const REVIEWED_AT_ONCE = 20

interface Props {
  /** Parameters of `/api/export` that select the sessions. */
  which: Record<string, string | undefined>
  /** The selection in words. */
  said: string
  onClose: () => void
}

/** Export of several sessions: redactions are selected by kind, or individually in each session. */
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

/** Redactions of each session, a limited number at a time. */
function Reviews({ which, choice: { format, depth }, kept, onKept }: ReviewsProps) {
  const [shown, setShown] = useState(REVIEWED_AT_ONCE)
  const { data, error, refetch } = useQuery(sessionsToExportQuery(which))
  if (error !== null)
    return <Failed what="The sessions could not be listed." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={8} label="Looking which sessions leave" />
  const { sessions } = data
  const left = sessions.length - shown
  return (
    <section aria-label="What is taken out of each session" className="export-review">
      <p className="dialog-said">Text that you keep stays in every session.</p>
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

interface ExportFrameProps {
  title: string
  /** null: cannot be exported like this. */
  href: string | null
  onClose: () => void
  children: ReactNode
}

/** Frame of the export dialog. */
function ExportFrame({ title, href, onClose, children }: ExportFrameProps) {
  return (
    <Dialog
      title={title}
      shape="side"
      tools={href !== null && <DownloadButton key={href} href={href} />}
      onClose={onClose}
    >
      {children}
    </Dialog>
  )
}

/** Download button with progress and cancellation, for a file that is generated on the fly. */
function DownloadButton({ href }: { href: string }) {
  const { said, isRunning, start, stop } = useDownload()
  return (
    <>
      <span className="export-progress label" role="status">
        {said}
      </span>
      {isRunning ? (
        <Button onClick={stop}>Stop</Button>
      ) : (
        <Button look="primary" onClick={() => start(href)}>
          Download
        </Button>
      )}
    </>
  )
}
