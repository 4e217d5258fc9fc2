import type { ComparedSession } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { OutcomeBadge, SubagentsBadge } from '../../content/badges/session-badges.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { SideLabel } from './side-label.tsx'

interface Props {
  side: 'a' | 'b'
  name: string
  when: string
  compared: ComparedSession
}

/** One of the two: what it is called, when and where it was, on which models. */
export function ComparedHead({ side, name, when, compared: { session } }: Props) {
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
