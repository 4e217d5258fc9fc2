import '../../../ui/frames/panel.css'
import './chart-panel.css'
import type { UsageQuery } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { ChartColumn, Download, Table } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import type { UsageChart } from '../../../lib/address/page-searches.ts'
import { timeZone } from '../../../lib/figures/time-zone.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { ChartTablesContext, isShownAsTable } from './chart-tables.ts'

type Props = {
  /** By which the address says that it is shown as a table. */
  chart: UsageChart
  title: string
  note?: string
  /** Between the title and the buttons. */
  legend?: ReactNode
  moreLink?: ReactNode
  /** What the chart was drawn from, for the file. */
  query: Partial<UsageQuery>
  isEmpty: boolean
  table: ReactNode
  children: ReactNode
}

/** A chart with its twins: the same numbers as a table, and as a file. */
export function ChartPanel({ chart, title, note, legend, moreLink, query, isEmpty, table, children }: Props) {
  const { tables, onTable } = useContext(ChartTablesContext)
  const isTable = isShownAsTable(tables, chart)
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        {note && <p>{note}</p>}
        {legend}
        {!isEmpty && (
          <div className="push">
            {moreLink}
            <Button look="quiet" size="tiny" onClick={() => onTable(chart, !isTable)}>
              <Icon of={isTable ? ChartColumn : Table} small />
              {isTable ? 'View as chart' : 'View as table'}
            </Button>
            <CsvLink title={title} query={query} />
          </div>
        )}
      </header>
      {isEmpty && <p className="panel-body dim">Nothing recorded in this time.</p>}
      {!isEmpty && (isTable ? table : <div className="panel-body">{children}</div>)}
    </section>
  )
}

/** A file from the server: the content policy of the page stays as strict as it is. */
export function CsvLink({ title, query }: { title: string; query: Partial<UsageQuery> }) {
  return (
    <a
      className="button quiet tiny"
      href={apiPaths.usage({ ...query, tz: timeZone(), format: 'csv' })}
      download
      aria-label={`CSV: ${title}`}
    >
      <Icon of={Download} small />
      CSV
    </a>
  )
}
