import type { ComparedSession, Comparison } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { OutcomeBadge, SubagentsBadge } from '../../content/badges/session-badges.tsx'
import { Markdown } from '../../content/markdown/markdown.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { SideLabel } from './side-label.tsx'

interface HeadProps {
  side: 'a' | 'b'
  name: string
  when: string
  compared: ComparedSession
}

/** One of the two: what it is called, when and where it was, on which models. */
export function ComparedHead({ side, name, when, compared: { session } }: HeadProps) {
  const { key, project, models, startTime } = session
  return (
    <section className="compare-head" aria-label={`Session ${side.toUpperCase()}`}>
      <h2>
        <SideLabel side={side} />
        <Link to="/s/$key" params={{ key }} dir="auto">
          {name}
        </Link>
        <OutcomeBadge session={session} />
      </h2>
      <p>
        <Link to="/p/$project" params={{ project: project.key }} dir="auto">
          {project.name}
        </Link>
        {startTime !== null && <TimeText time={startTime}>{when}</TimeText>}
        {(models ?? []).map((model) => (
          <span key={model.name}>
            {model.name}, {formatPlural(model.calls, 'call')}
          </span>
        ))}
        <SubagentsBadge session={session} />
      </p>
    </section>
  )
}

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
