import './table.css'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { classNames } from '../lib/browser.ts'
import { formatPlural } from '../lib/figures.ts'
import { useHeldFocus } from '../lib/list-hooks.ts'
import { Button } from './buttons/button.tsx'
import { ShareBar } from './figures.tsx'
import { Icon } from './icons.tsx'
import { ScrollRegion } from './scroll-region.tsx'

export interface DataColumn<Row> {
  /** Unique in a table. */
  name: string
  /** A drawing of what other columns say, such as a bar: its name is not written. */
  isDrawing?: boolean
  /** Figures end at one edge. */
  isFigure?: boolean
  /** Not on a phone. */
  isWideOnly?: boolean
  /** `-` and `unknown` are drawn quietly. */
  cell: (row: Row, index: number) => ReactNode
  title?: (row: Row) => string | undefined
  className?: string
  cellClass?: (row: Row) => string | false | undefined
  /** Orders the rows by it, when its head is pressed. */
  sortBy?: (row: Row) => number | string
  /** Below all rows. */
  foot?: ReactNode
}

interface Props<Row> {
  /** Names the table, and the region around it while it scrolls. */
  label: string
  /** The first one names the row. */
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string
  rowClass?: (row: Row) => string | false | undefined
  footClass?: string
  /** Rows at first, and how many more by one press: all where it is left out. What a row is: `call`. */
  pages?: { first: number; more?: number; unit: string }
  isHeadHidden?: boolean
  /** Of the table: a look other than that of a panel. */
  className?: string
  /** Of the region. */
  regionClass?: string
}

/** The one table of the page: rows with a name and figures, in an order that the reader may change. */
export function DataTable<Row>({ label, columns, rows, pages, regionClass, ...props }: Props<Row>) {
  const { keyOf, rowClass, footClass, isHeadHidden, className = 'data-table' } = props
  const [shownCount, setShownCount] = useState(pages?.first ?? Number.POSITIVE_INFINITY)
  const [order, setOrder] = useState<Order | null>(null)
  const ordered = useMemo(() => sorted(rows, columns, order), [rows, columns, order])
  const around = useHeldFocus<HTMLDivElement>()
  const left = rows.length - shownCount
  const more = Math.min(left, pages?.more ?? left)
  return (
    <ScrollRegion label={label} className={regionClass}>
      <div ref={around} className="data-table-frame">
        <table className={className} aria-label={label}>
          <thead className={isHeadHidden ? 'visually-hidden' : undefined}>
            <tr>
              {columns.map((column) => (
                <Head key={column.name} column={column} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, shownCount).map(({ row, index }) => (
              <tr key={keyOf(row, index)} className={rowClass?.(row) || undefined}>
                {columns.map((column, position) => (
                  <Cell key={column.name} isName={position === 0} {...{ column, row, index }} />
                ))}
              </tr>
            ))}
          </tbody>
          {columns.some(({ foot }) => foot !== undefined) && (
            <tfoot>
              <tr className={footClass}>
                {columns.map((column, position) => {
                  const Element = position === 0 ? 'th' : 'td'
                  return (
                    <Element
                      key={column.name}
                      scope={position === 0 ? 'row' : undefined}
                      className={classOf(column)}
                    >
                      {column.foot}
                    </Element>
                  )
                })}
              </tr>
            </tfoot>
          )}
        </table>
        {left > 0 && (
          <Button look="quiet" className="data-table-more" onClick={() => setShownCount(shownCount + more)}>
            Show {formatPlural(more, `more ${pages?.unit}`)}
          </Button>
        )}
      </div>
    </ScrollRegion>
  )
}

interface Order {
  name: string
  isMostFirst: boolean
}

/** Each row with its place among all rows. Equal ones stay as they came. */
function sorted<Row>(rows: readonly Row[], columns: readonly DataColumn<Row>[], order: Order | null) {
  const placed = rows.map((row, index) => ({ row, index }))
  const sortBy = columns.find(({ name }) => name === order?.name)?.sortBy
  if (order === null || sortBy === undefined) return placed
  const sign = order.isMostFirst ? -1 : 1
  return placed.sort((one, other) => sign * compare(sortBy(one.row), sortBy(other.row)))
}

function compare(one: number | string, other: number | string): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other))
}

interface HeadProps<Row> {
  column: DataColumn<Row>
  order: Order | null
  onOrder: (order: Order | null) => void
}

/** Most first, least first, and as it was. */
function Head<Row>({ column, order, onOrder }: HeadProps<Row>) {
  const { name, isDrawing, sortBy } = column
  if (isDrawing) return <td className={classOf(column)} />
  if (sortBy === undefined)
    return (
      <th scope="col" className={classOf(column)}>
        {name}
      </th>
    )
  const isOwn = order?.name === name
  return (
    <SortHead
      name={name}
      className={classOf(column)}
      order={isOwn ? (order.isMostFirst ? 'descending' : 'ascending') : undefined}
      onPress={() => onOrder(isOwn && !order.isMostFirst ? null : { name, isMostFirst: !isOwn })}
    />
  )
}

interface CellProps<Row> {
  column: DataColumn<Row>
  row: Row
  index: number
  isName: boolean
}

function Cell<Row>({ column, row, index, isName }: CellProps<Row>) {
  const content = column.cell(row, index)
  const isQuiet = content === '-' || content === 'unknown'
  const attributes = {
    title: column.title?.(row),
    className: classNames(classOf(column), isQuiet ? 'none' : column.cellClass?.(row)) || undefined,
  }
  return isName ? (
    <th scope="row" dir="auto" {...attributes}>
      {content}
    </th>
  ) : (
    <td {...attributes}>{content}</td>
  )
}

function classOf<Row>({ isFigure, isWideOnly, className }: DataColumn<Row>): string | undefined {
  return classNames(isFigure && 'num', isWideOnly && 'wide-only', className) || undefined
}

interface SortHeadProps {
  name: string
  /** undefined: the rows are in another order. */
  order: 'ascending' | 'descending' | undefined
  onPress: () => void
  className?: string | undefined
}

/** The head of a column that orders the rows. */
function SortHead({ name, order, onPress, className }: SortHeadProps) {
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button type="button" className="sort-head" onClick={onPress}>
        {order === 'descending' && <Icon of={ArrowDown} small />}
        {order === 'ascending' && <Icon of={ArrowUp} small />}
        {name}
      </button>
    </th>
  )
}

interface Shares {
  /** Of the largest row, 0 to 1. */
  share: number
  failedShare?: number | undefined
}

/** A bar beside the name of each row: how large it is beside the largest. */
export function shareColumn<Row>(sharesOf: (row: Row) => Shares): DataColumn<Row> {
  return {
    name: 'Share',
    isDrawing: true,
    className: 'share-cell',
    cell: (row) => <ShareBar {...sharesOf(row)} />,
  }
}
