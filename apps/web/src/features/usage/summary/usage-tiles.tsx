import './usage-tiles.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isUnanswered } from '../../../api/request/is-unanswered.ts'
import { usageQuery } from '../../../api/usage.ts'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import { Heard } from '../../../ui/figures/heard.tsx'
import { NotLoaded } from '../frame/failed-panel.tsx'
import type { UsageRange } from '../frame/usage-range.ts'
import { toTiles } from './to-tiles.ts'

type Props = { range: UsageRange; projectKey: string | undefined; hasPrices: boolean }

/** The totals of the range, each with what qualifies it and how it changed. */
export function UsageTiles({ range, projectKey: project, hasPrices }: Props) {
  const { from, previous } = range
  const scope = { from, project }
  const before = { ...previous, project }
  const hasBefore = previous !== undefined
  const days = useQuery(usageQuery({ by: 'model', ...scope }))
  const tools = useQuery(usageQuery({ by: 'tool', ...scope }))
  const daysBefore = useQuery({ ...usageQuery({ by: 'model', ...before }), enabled: hasBefore })
  const toolsBefore = useQuery({ ...usageQuery({ by: 'tool', ...before }), enabled: hasBefore })
  const asked = [days, tools, daysBefore, toolsBefore]
  const isComplete = days.data && tools.data && (!hasBefore || (daysBefore.data && toolsBefore.data))
  const tiles = isComplete
    ? toTiles(
        { total: days.data.total, tools: tools.data.rows },
        hasBefore && daysBefore.data && toolsBefore.data
          ? { total: daysBefore.data.total, tools: toolsBefore.data.rows }
          : null,
        hasPrices,
      )
    : []
  if (asked.some(isUnanswered)) return <NotLoaded asked={asked} />
  return (
    <div className="tiles sheet" aria-busy={!isComplete}>
      {tiles.map((tile) => (
        <section key={tile.label} className="tile">
          <h2>{tile.label}</h2>
          <p className="tile-value" title={tile.title}>
            {tile.explains === undefined ? (
              <FailedSessions isLink={tile.isOfFailures === true} {...scope}>
                {tile.value}
                <Heard>{tile.label}</Heard>
              </FailedSessions>
            ) : (
              <ExplainButton
                of={{ kind: 'usage', name: tile.label, scope, figure: tile.explains }}
                name={tile.label}
              >
                {tile.value}
              </ExplainButton>
            )}
          </p>
          <p className="tile-notes">{tile.notes.map((note) => note && <span key={note}>{note}</span>)}</p>
        </section>
      ))}
    </div>
  )
}

interface FailedSessionsProps {
  isLink: boolean
  from: string | undefined
  project: string | undefined
  children: ReactNode
}

/** The list of those in which something failed, most failures first. */
function FailedSessions({ isLink, from, project, children }: FailedSessionsProps) {
  if (!isLink) return children
  const shared = { search: { from, has: 'errors', sort: 'failed' }, className: 'failure-link' } as const
  return project === undefined ? (
    <Link to="/" {...shared}>
      {children}
    </Link>
  ) : (
    <Link to="/p/$project" params={{ project }} {...shared}>
      {children}
    </Link>
  )
}
