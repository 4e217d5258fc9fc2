import type { Cost, SessionFigures, SessionSummary, TokenUsage } from 'gemini-sessions'
import type { FormerRow, LiveEvent, SpentChange } from '../program/live-event.ts'

/** An answer with the number of the last change that is in it, as its header tells. */
export type Placed<Answer> = Answer & { at?: number | undefined }

/** One row that changed alone, and the number of the change. */
export interface RowChange {
  at: number
  row: SessionSummary
  before: FormerRow
  spent: SpentChange | undefined
}

/** null: the event has no row. */
export function toRowChange(at: number, { row, before, spent }: LiveEvent): RowChange | null {
  return row === undefined || before === undefined ? null : { at, row, before, spent }
}

interface Spent {
  usage: TokenUsage | null
  cost: Cost | null
}

type CountedRow<Kind> = Pick<SessionSummary, 'usage' | 'cost' | 'recorded' | 'failures' | 'withSubagents'> & {
  kind: Kind
}

/**
 * What a row is counted for in the totals of a list: main sessions with their sub-agents, as they show it; of all kinds together
 * each token and call once, so each session alone, and of a saved chat nothing: its session has them.
 */
export function countedFigures<Kind extends string>(
  row: CountedRow<Kind>,
  asked: Kind | 'all',
): SessionFigures | null {
  if (asked === 'main') return row.withSubagents
  if (asked === 'all' && row.kind === 'checkpoint') return null
  const { usage, cost, recorded, failures } = row
  return { usage, cost, toolCalls: recorded?.toolCalls ?? null, failures }
}

/** Costs are whole numbers of these, as `addCost` of gemini-sessions has them, which the page does not load. */
const UNITS_PER_USD = 1e11
const MOST_UNITS = 2 ** 51

/** A sum in which one part took the place of another (null: none did); null where only who has all parts can tell. */
export function exchanged(sum: { usage: TokenUsage; cost: Cost }, before: Spent | null, after: Spent | null) {
  const cost = exchangedCost(sum.cost, before?.cost ?? null, after?.cost ?? null)
  if (cost === null) return null
  const usage = { ...sum.usage }
  for (const name of Object.keys(usage) as (keyof TokenUsage)[])
    usage[name] += (after?.usage?.[name] ?? 0) - (before?.usage?.[name] ?? 0)
  return { usage, cost }
}

/** Sums of costs are exact, so what is taken out of one leaves nothing behind. */
function exchangedCost(sum: Cost, before: Cost | null, after: Cost | null): Cost | null {
  const unpricedCalls = sum.unpricedCalls + (after?.unpricedCalls ?? 0) - (before?.unpricedCalls ?? 0)
  const [old, now] = [before?.usd ?? null, after?.usd ?? null]
  // Whether a price is left in it, the others know.
  if (old !== null && now === null) return null
  if (now === null) return { usd: sum.usd, unpricedCalls }
  const units = unitsOf(sum.usd) - unitsOf(old) + unitsOf(now)
  return Math.abs(units) < MOST_UNITS ? { usd: units / UNITS_PER_USD, unpricedCalls } : null
}

function unitsOf(usd: number | null): number {
  return Math.round((usd ?? 0) * UNITS_PER_USD)
}
