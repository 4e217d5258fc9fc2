import '../../ui/frames/panel.css'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'

interface Props<Row> {
  title: string
  note: string
  rows: readonly (Row & { name: string })[]
  /** What is said where there are no rows. */
  none: string
  name: (row: Row & { name: string }) => ReactNode
  cell: (row: Row, side: 'a' | 'b') => ReactNode
}

/** A long list is shown so far at first. */
const FIRST_ROWS = 20

/** Things that either session has, by name: one row each, one column for each session. */
export function CompareTable<Row>({ title, note, rows, none, name, cell }: Props<Row>) {
  const [isAll, setIsAll] = useState(false)
  const shown = isAll ? rows : rows.slice(0, FIRST_ROWS)
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        <p>{rows.length === 0 ? none : note}</p>
      </header>
      {rows.length > 0 && (
        <ScrollRegion label={`${title} of both sessions`}>
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" className="num">
                  A
                </th>
                <th scope="col" className="num">
                  B
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.name}>
                  <th scope="row">{name(row)}</th>
                  <td className="num">{cell(row, 'a')}</td>
                  <td className="num">{cell(row, 'b')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {shown.length < rows.length && (
        <div className="panel-body">
          <Button look="quiet" onClick={() => setIsAll(true)}>
            Show all {rows.length}
          </Button>
        </div>
      )}
    </section>
  )
}
