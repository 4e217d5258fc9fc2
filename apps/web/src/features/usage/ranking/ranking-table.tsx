import '../../../ui/frames/panel.css'
import type { UsageQuery, UsageReport } from '@gemini-dash/api'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isUnanswered } from '../../../api/request/is-unanswered.ts'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import type { Explained } from '../../../content/explain/explain-context.ts'
import type { FindSearch } from '../../../lib/address/find-search.ts'
import { classNames } from '../../../lib/browser/class-names.ts'
import { ShareBar } from '../../../ui/figures/share-bar.tsx'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { CsvLink } from '../frame/chart-panel.tsx'
import { FailedPanel } from '../frame/failed-panel.tsx'

export type RankingRow = {
  key: string
  name: ReactNode
  /** Of the largest row, 0 to 1. */
  share: number
  failedShare?: number
  /** One text a column; `-` and `unknown` are drawn quietly. The last one is the main figure. */
  cells: {
    text: string
    title?: string
    tone?: 'error'
    explains?: Explained | undefined
    /** Finds what it counts. */
    search?: FindSearch
  }[]
}

type Props = {
  title: string
  query: Partial<UsageQuery>
  note?: string
  columns: string[]
  rows: RankingRow[]
  /** What the rows are made of. */
  asked: UseQueryResult<UsageReport>
}

/** Of more figures the first has no room there. */
const MOST_ON_PHONE = 3

const QUIET = new Set(['-', 'unknown'])

/** Who used most: name, share bar, figures. */
export function RankingTable({ title, query, note, columns, rows, asked }: Props) {
  if (isUnanswered(asked)) return <FailedPanel title={title} asked={[asked]} />
  const isBusy = asked.data === undefined
  const isNone = rows.length === 0 && !isBusy
  return (
    <section className="panel" aria-busy={isBusy}>
      <header className="panel-head">
        <h2>{title}</h2>
        {note !== undefined && !isNone && <p>{note}</p>}
        {rows.length > 0 && (
          <div className="push">
            <CsvLink title={title} query={query} />
          </div>
        )}
      </header>
      {isNone && <p className="panel-body dim">Nothing recorded in this time.</p>}
      <ScrollRegion label={title}>
        <table className={classNames('data-table', columns.length > MOST_ON_PHONE && 'many-figures')}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <td className="share-cell" />
              {columns.map((column) => (
                <th key={column} scope="col" className="num">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row" dir="auto">
                  {row.name}
                </th>
                <td className="share-cell">
                  <ShareBar share={row.share} failedShare={row.failedShare} />
                </td>
                {row.cells.map((cell, position) => (
                  <td
                    key={columns[position]}
                    title={cell.title}
                    className={cellClass(cell, position, row.cells.length)}
                  >
                    <CellText {...cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}

function CellText({ text, tone, explains, search }: RankingRow['cells'][number]) {
  if (explains !== undefined)
    return (
      <ExplainButton of={explains} name="">
        {text}
      </ExplainButton>
    )
  if (search === undefined) return text
  return (
    <Link to="/search" search={search} className={tone === 'error' ? 'failure-link' : undefined}>
      {text}
    </Link>
  )
}

function cellClass(cell: RankingRow['cells'][number], position: number, count: number): string {
  if (QUIET.has(cell.text)) return 'num none'
  if (cell.tone === 'error') return 'num error'
  return position === count - 1 ? 'num main' : 'num'
}
