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
  /** Unique within a table. */
  name: string
  /** A visualization of other columns, such as a bar: has no visible name. */
  isDrawing?: boolean
  /** Right-aligned figures. */
  isFigure?: boolean
  /** Hidden on a phone. */
  isWideOnly?: boolean
  /** `-` and `unknown` are dimmed. */
  cell: (row: Row, index: number) => ReactNode
  title?: (row: Row) => string | undefined
  className?: string
  cellClass?: (row: Row) => string | false | undefined
  /** Makes the column sortable. */
  sortBy?: (row: Row) => number | string
  /** Footer cell. */
  foot?: ReactNode
}

interface Props<Row> {
  /** Accessible name of the table, and of its scroll region. */
  label: string
  /** The first one names the row. */
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string
  rowClass?: (row: Row) => string | false | undefined
  footClass?: string
  /** Number of rows at first and per click (default: all the rest). `unit`: name of a row, such as `call`. */
  pages?: { first: number; more?: number; unit: string }
  isHeadHidden?: boolean
  /** Class of the table, for a look other than that of a panel. */
  className?: string
  /** Class of the scroll region. */
  regionClass?: string
}

/** The common table: rows with a name and figures, sortable. */
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

/** Each row with its original index. The sort is stable. */
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

/** Cycles through descending, ascending and original order. */
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
  /** undefined: not sorted by this column. */
  order: 'ascending' | 'descending' | undefined
  onPress: () => void
  className?: string | undefined
}

/** Sortable column head. */
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
  /** Ratio to the largest row, 0 to 1. */
  share: number
  failedShare?: number | undefined
}

/** A bar per row, relative to the largest one. */
export function shareColumn<Row>(sharesOf: (row: Row) => Shares): DataColumn<Row> {
  return {
    name: 'Share',
    isDrawing: true,
    className: 'share-cell',
    cell: (row) => <ShareBar {...sharesOf(row)} />,
  }
}
