import type { SessionSummary } from 'gemini-sessions'
import { formatCost, formatCount } from '../../../lib/figures/format.ts'
import { countFailed } from '../../../lib/session/describe-failures.ts'
import { TokenText } from '../../../ui/figures/token-text.tsx'
import { Trace } from '../../../ui/figures/trace.tsx'
import { isUnreadable, type RowFigures } from './row-figures.ts'
import { unreadableReason } from './unreadable-reason.ts'

type Props = { session: SessionSummary; figures: RowFigures | null; reason: string | undefined }

/** The second line of a row on a phone; not there on wider screens. */
export function SessionMeta({ session, figures, reason }: Props) {
  const failed = figures === null ? 0 : countFailed(figures.failures)
  return (
    <div className="session-meta">
      {isUnreadable(session) && <span className="tone-warning shrinks">{unreadableReason(reason)}</span>}
      <span className="shrinks project" dir="auto">
        {session.project.name}
      </span>
      {figures !== null && (
        <>
          {figures.tokens !== null && <TokenText tokens={figures.tokens} />}
          <span>{formatCost(figures.cost)}</span>
          {failed > 0 && (
            <span className="tone-error">
              {session.outcome?.kind === 'unanswered' ? 'No answer' : `${formatCount(failed)} failed`}
            </span>
          )}
          <Trace points={session.trace} isLive={session.live} />
        </>
      )}
    </div>
  )
}
