import '../ui/ui.css'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { SubagentsBadge, VerdictBadge } from '../content/session-badges.tsx'
import {
  formatCount,
  formatDuration,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../lib/figures.ts'
import { sessionLengthMs } from '../lib/session-words.ts'
import { TimeText } from '../ui/figures.tsx'
import { DataTable } from '../ui/table.tsx'

interface Sides {
  a: SessionSummary
  b: SessionSummary
}

/** Totals side by side. More is neither good nor bad, so there are no colors. */
export function CompareFigures({ a, b }: Sides) {
  return (
    <section className="panel" aria-label="Figures">
      <header className="panel-head">
        <h2>Figures</h2>
        <p>sub-agents included, and requests that were rewound later</p>
      </header>
      <DataTable
        label="Figures of both sessions"
        className="data-table compare-figures"
        rows={toFigureRows({ a, b })}
        keyOf={({ label }) => label}
        columns={[
          { name: 'Figure', cell: ({ label }) => label },
          { name: 'A', isFigure: true, className: 'main', cell: ({ a }) => a },
          { name: 'B', isFigure: true, className: 'main', cell: ({ b }) => b },
          {
            name: 'B − A',
            isFigure: true,
            cellClass: ({ difference }) => difference === 'same' && 'none',
            cell: ({ difference }) => difference ?? '-',
          },
        ]}
      />
    </section>
  )
}

interface FigureRow {
  label: string
  a: string
  b: string
  /** B minus A, with a sign; null if one of them is unknown. */
  difference: string | null
}

interface Figure {
  label: string
  read: (session: SessionSummary) => number | null
  write: (value: number) => string
  /** Shown only if one of the two has any. */
  isRare?: boolean
}

const FIGURES: Figure[] = [
  { label: 'Turns', read: ({ recorded }) => recorded?.turns ?? null, write: formatCount },
  {
    label: 'Requests',
    read: ({ withSubagents }) => withSubagents.usage?.calls ?? null,
    write: formatCount,
  },
  { label: 'Tokens', read: ({ withSubagents }) => withSubagents.usage?.total ?? null, write: formatTokens },
  { label: 'Input', read: ({ withSubagents }) => withSubagents.usage?.input ?? null, write: formatTokens },
  { label: 'Cached of input', read: cacheRate, write: formatPercent },
  {
    label: 'Output',
    read: ({ withSubagents }) => withSubagents.usage?.output ?? null,
    write: formatTokens,
  },
  {
    label: 'Thoughts',
    read: ({ withSubagents }) => withSubagents.usage?.thoughts ?? null,
    write: formatTokens,
  },
  { label: 'Cost', read: ({ withSubagents }) => withSubagents.cost?.usd ?? null, write: formatFineUsd },
  {
    label: 'Requests of unknown price',
    read: ({ withSubagents }) => withSubagents.cost?.unpricedCalls ?? null,
    write: formatCount,
    isRare: true,
  },
  {
    label: 'Cost of sub-agents',
    read: agentsUsd,
    write: formatFineUsd,
    isRare: true,
  },
  { label: 'Tool calls', read: ({ withSubagents }) => withSubagents.toolCalls, write: formatCount },
  {
    label: 'Failed tool calls',
    read: ({ withSubagents }) => withSubagents.failures?.tools ?? null,
    write: formatCount,
  },
  {
    label: 'Refused requests',
    read: ({ withSubagents }) => withSubagents.failures?.refused ?? null,
    write: formatCount,
    isRare: true,
  },
  { label: 'Time span', read: sessionLengthMs, write: formatDuration },
]

/** The totals of two sessions including sub-agents, and their differences. */
export function toFigureRows({ a, b }: Sides): FigureRow[] {
  return FIGURES.flatMap(({ label, read, write, isRare }) => {
    const [one, other] = [read(a), read(b)]
    if (isRare && (one ?? 0) === 0 && (other ?? 0) === 0) return []
    const say = (value: number | null) => (value === null ? '-' : write(value))
    return [{ label, a: say(one), b: say(other), difference: difference(one, other, write) }]
  })
}

function difference(a: number | null, b: number | null, write: Figure['write']): string | null {
  if (a === null || b === null) return null
  if (write === formatPercent) return points(a, b)
  const amount = write(Math.abs(b - a))
  if (a === b || amount === write(0)) return 'same'
  return `${b > a ? '+' : '−'}${amount}`
}

function points(a: number, b: number): string {
  const change = Math.round((b - a) * 100)
  if (change === 0) return 'same'
  return `${change > 0 ? '+' : '−'}${Math.abs(change)} ${Math.abs(change) === 1 ? 'point' : 'points'}`
}

function cacheRate({ withSubagents: { usage } }: SessionSummary): number | null {
  return usage === null || usage.input === 0 ? null : usage.cached / usage.input
}

function agentsUsd({ subagentKeys, cost, withSubagents }: SessionSummary): number | null {
  if (subagentKeys.length === 0) return 0
  if (withSubagents.cost?.usd == null) return null
  return withSubagents.cost.usd - (cost?.usd ?? 0)
}

/** Which side it is, with text for screen readers. */
function SideLabel({ side }: { side: 'a' | 'b' }) {
  return (
    <span className="compare-side label">
      <span className="visually-hidden">Session </span>
      {side.toUpperCase()}
    </span>
  )
}

interface HeadProps {
  side: 'a' | 'b'
  name: string
  when: string
  session: SessionSummary
}

/** One of the two sessions: title, time, project, models. */
export function ComparedHead({ side, name, when, session }: HeadProps) {
  const { key, project, models, startTime } = session
  return (
    <section className="compare-head" aria-label={`Session ${side.toUpperCase()}`}>
      <h2>
        <SideLabel side={side} />
        <Link to="/s/$key" params={{ key }} dir="auto">
          {name}
        </Link>
        <VerdictBadge session={session} />
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
