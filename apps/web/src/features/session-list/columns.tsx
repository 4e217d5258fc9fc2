import { classNames } from '../../lib/browser.ts'
import type { ListOrder } from '../../lib/page-searches.ts'
import { keptChoice } from '../../lib/preferences.ts'

interface Column {
  label: string
  /** Tooltip of the column head. */
  title: string
  width: string
  /** Right-aligned figures. */
  isFigure: boolean
}

/** All columns of the list, in order. */
export const COLUMNS = {
  title: {
    label: 'Title',
    title: 'Title, then the first prompt',
    width: 'minmax(0, 1fr)',
    isFigure: false,
  },
  project: { label: 'Project', title: 'Folder the session ran in', width: '8rem', isFigure: false },
  model: { label: 'Model', title: 'Model with the most requests', width: '6rem', isFigure: false },
  requests: {
    label: 'Requests',
    title: 'Tokens of its requests, and which of them led to a failure',
    width: '5.25rem',
    isFigure: false,
  },
  turns: { label: 'Turns', title: 'Prompts and all up to the next', width: '3rem', isFigure: true },
  tools: { label: 'Tool calls', title: 'Tool calls, sub-agents included', width: '4rem', isFigure: true },
  duration: {
    label: 'Duration',
    title: 'From the first to the last record',
    width: '4.5rem',
    isFigure: true,
  },
  tokens: {
    label: 'Tokens',
    title: 'Tokens of all kinds, sub-agents included',
    width: '3.75rem',
    isFigure: true,
  },
  failed: {
    label: 'Failed',
    title:
      'What failed, sub-agents included. Red: still failing. Amber: never rerun. Gray: later succeeded, or no command',
    width: '3.25rem',
    isFigure: true,
  },
  cost: { label: 'Cost', title: 'List price in USD, sub-agents included', width: '4rem', isFigure: true },
  activity: {
    label: 'Last activity',
    title: 'Time of the last message',
    width: '6.5rem',
    isFigure: true,
  },
} as const satisfies Record<string, Column>

export type ColumnName = keyof typeof COLUMNS

/** Optional columns. */
export const MORE_COLUMNS = ['model', 'requests', 'turns', 'tools', 'duration', 'tokens'] as const
type MoreColumn = (typeof MORE_COLUMNS)[number]

/** Optional columns that are shown. Read through `useSyncExternalStore`. */
export const addedColumns = keptChoice<readonly MoreColumn[]>(
  'gemini-dash.columns',
  (kept) => MORE_COLUMNS.filter((name) => kept?.split(' ').includes(name)),
  (names) => (names.length === 0 ? null : names.join(' ')),
)

/** Visible columns, in order; a list of one project has no project column. */
export function shownColumns(added: readonly MoreColumn[], isOfOneProject: boolean): ColumnName[] {
  const isMore = (name: ColumnName): name is MoreColumn => (MORE_COLUMNS as readonly string[]).includes(name)
  return (Object.keys(COLUMNS) as ColumnName[]).filter((name) =>
    isMore(name) ? added.includes(name) : name !== 'project' || !isOfOneProject,
  )
}

/** For `grid-template-columns`. */
export function columnWidths(columns: readonly ColumnName[]): string {
  return columns.map((name) => COLUMNS[name].width).join(' ')
}

/** The column of each order; a reversed order has a leading `-`. */
const ORDERED_BY: Partial<Record<ListOrder, ColumnName>> = {
  cost: 'cost',
  tokens: 'tokens',
  turns: 'turns',
  tools: 'tools',
  failed: 'failed',
  duration: 'duration',
}

interface Props {
  columns: readonly ColumnName[]
  /** undefined: newest first. */
  sort: ListOrder | undefined
}

/** Column heads. The rows themselves are a list with their figures in words. */
export function ColumnHeads({ columns, sort }: Props) {
  return (
    <table className="session-heads" aria-label="Columns of the list">
      <thead>
        <tr className="session-columns meta">
          {columns.map((name) => (
            <th
              key={name}
              scope="col"
              title={COLUMNS[name].title}
              aria-sort={orderOf(name, sort)}
              className={classNames(COLUMNS[name].isFigure && 'num')}
            >
              {COLUMNS[name].label}
            </th>
          ))}
        </tr>
      </thead>
    </table>
  )
}

function orderOf(name: ColumnName, sort: ListOrder | undefined): 'ascending' | 'descending' | undefined {
  if (sort === undefined) return name === 'activity' ? 'descending' : undefined
  if (sort === '-recent') return name === 'activity' ? 'ascending' : undefined
  const isTurned = sort.startsWith('-')
  const column = ORDERED_BY[(isTurned ? sort.slice(1) : sort) as ListOrder]
  return column === name ? (isTurned ? 'ascending' : 'descending') : undefined
}
