import type { ComparedSession, Comparison } from '@gemini-dash/api'
import type { TouchedFile } from 'gemini-sessions'
import {
  formatCount,
  formatDuration,
  formatFineUsd,
  formatPercent,
  formatTokens,
} from '../../lib/figures/format.ts'
import { sessionLengthMs } from '../../lib/session/session-length.ts'

export interface FigureRow {
  label: string
  a: string
  b: string
  /** Of B against A, with its sign; null where one of the two is not known. */
  difference: string | null
}

interface Figure {
  label: string
  read: (side: ComparedSession, files: readonly TouchedFile[]) => number | null
  write: (value: number) => string
  /** Told only where one of the two has any. */
  isRare?: boolean
}

const FIGURES: Figure[] = [
  { label: 'Turns', read: ({ turns }) => turns, write: formatCount },
  {
    label: 'Model calls',
    read: ({ session }) => session.withSubagents.usage?.calls ?? null,
    write: formatCount,
  },
  { label: 'Tokens', read: ({ session }) => session.withSubagents.usage?.total ?? null, write: formatTokens },
  { label: 'Input', read: ({ session }) => session.withSubagents.usage?.input ?? null, write: formatTokens },
  { label: 'Cached of input', read: ({ session }) => cacheRate(session), write: formatPercent },
  {
    label: 'Output',
    read: ({ session }) => session.withSubagents.usage?.output ?? null,
    write: formatTokens,
  },
  {
    label: 'Thoughts',
    read: ({ session }) => session.withSubagents.usage?.thoughts ?? null,
    write: formatTokens,
  },
  { label: 'Cost', read: ({ session }) => session.withSubagents.cost?.usd ?? null, write: formatFineUsd },
  {
    label: 'Calls of unknown price',
    read: ({ session }) => session.withSubagents.cost?.unpricedCalls ?? null,
    write: formatCount,
    isRare: true,
  },
  {
    label: 'Cost of sub-agents',
    read: ({ session }) => agentsUsd(session),
    write: formatFineUsd,
    isRare: true,
  },
  { label: 'Tool calls', read: ({ session }) => session.withSubagents.toolCalls, write: formatCount },
  {
    label: 'Failed tool calls',
    read: ({ session }) => session.withSubagents.failures?.tools ?? null,
    write: formatCount,
  },
  {
    label: 'Refused requests',
    read: ({ session }) => session.withSubagents.failures?.refused ?? null,
    write: formatCount,
    isRare: true,
  },
  { label: 'Files changed', read: (_, files) => files.filter(isChanged).length, write: formatCount },
  { label: 'Time span', read: ({ session }) => sessionLengthMs(session), write: formatDuration },
]

/** The totals of two sessions with their sub-agents, and what B has more or less. */
export function toFigureRows({ a, b, files }: Comparison): FigureRow[] {
  const filesOf = (side: 'a' | 'b') => files.flatMap((row) => row[side] ?? [])
  return FIGURES.flatMap(({ label, read, write, isRare }) => {
    const [one, other] = [read(a, filesOf('a')), read(b, filesOf('b'))]
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

export function isChanged({ writes, edits }: TouchedFile): boolean {
  return writes + edits > 0
}

function cacheRate({ withSubagents: { usage } }: ComparedSession['session']): number | null {
  return usage === null || usage.input === 0 ? null : usage.cached / usage.input
}

function agentsUsd({ subagentKeys, cost, withSubagents }: ComparedSession['session']): number | null {
  if (subagentKeys.length === 0) return 0
  if (withSubagents.cost?.usd == null) return null
  return withSubagents.cost.usd - (cost?.usd ?? 0)
}
