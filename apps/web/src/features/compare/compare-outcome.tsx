import type { ComparedSession, Comparison } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { Markdown } from '../../content/markdown/markdown.tsx'
import { SideLabel } from './side-label.tsx'

/** How each of the two ended: the model's last words that still stand. */
export function CompareOutcome({ comparison: { a, b } }: { comparison: Comparison }) {
  return (
    <section className="panel" aria-label="Outcome">
      <header className="panel-head">
        <h2>Outcome</h2>
        <p>the last answer of each, its beginning</p>
      </header>
      <div className="compare-pair">
        <LastAnswer side="a" compared={a} />
        <LastAnswer side="b" compared={b} />
      </div>
    </section>
  )
}

function LastAnswer({ side, compared }: { side: 'a' | 'b'; compared: ComparedSession }) {
  const { session, lastAnswer } = compared
  return (
    <div className="compare-cell">
      <SideLabel side={side} />
      {lastAnswer === null ? (
        <p className="dim">No answer in words.</p>
      ) : (
        <div className="compare-answer">
          <Markdown text={lastAnswer.text} isSmall />
          <Link
            to="/s/$key"
            params={{ key: session.key }}
            hash={`m-${lastAnswer.messageKey}`}
            className="link"
          >
            Read it there
          </Link>
        </div>
      )}
    </div>
  )
}
