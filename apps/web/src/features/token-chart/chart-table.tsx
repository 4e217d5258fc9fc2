import './token-chart.css'
import { useMemo } from 'react'
import { SupersededWord } from '../../content/superseded-word.tsx'
import { formatClock } from '../../lib/dates.ts'
import { formatCount, formatFineUsd, formatModel } from '../../lib/figures.ts'
import { type DataColumn, DataTable } from '../../ui/table.tsx'
import type { ChartCall } from './chart-call.ts'

const PAGE = 500
interface Props {
  calls: readonly ChartCall[]
  hasPrices: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** The chart as a table. */
export default function ChartTable({ calls, hasPrices, onJump }: Props) {
  const sums = useMemo(() => sumsSoFar(calls), [calls])
  const columns = useMemo(() => callColumns(hasPrices, sums, onJump), [hasPrices, sums, onJump])
  return (
    <DataTable
      label="Tokens per request, table"
      className="chart-calls"
      regionClass="chart-table sheet"
      rows={calls}
      keyOf={({ messageKey }) => messageKey}
      rowClass={({ superseded }) => superseded !== null && 'chart-superseded'}
      pages={{ first: PAGE, more: PAGE, unit: 'request' }}
      columns={columns}
    />
  )
}

function sumsSoFar(calls: readonly ChartCall[]): number[] {
  let usdSoFar = 0
  return calls.map(({ usd }) => {
    usdSoFar += usd ?? 0
    return usdSoFar
  })
}

function callColumns(
  hasPrices: boolean,
  usdSoFar: readonly number[],
  onJump: Props['onJump'],
): DataColumn<ChartCall>[] {
  const columns: DataColumn<ChartCall>[] = [
    { name: 'Request', cell: (call, index) => <CallName call={call} number={index + 1} onJump={onJump} /> },
    { name: 'Turn', cell: ({ turn }) => turn },
    {
      name: 'Time',
      cell: ({ time }) => (time === null ? '-' : formatClock(new Date(time).toISOString(), 'seconds')),
    },
    {
      name: 'Model',
      title: ({ model }) => model ?? undefined,
      cell: ({ model }) => (model === null ? '-' : formatModel(model)),
    },
    tokenColumn('New input', ({ input, cached }) => Math.max(input - cached, 0)),
    tokenColumn('Cached', ({ cached }) => cached),
    tokenColumn('Output', ({ output }) => output),
    tokenColumn('Thoughts', ({ thoughts }) => thoughts),
    tokenColumn('Tool', ({ tool }) => tool),
  ]
  if (!hasPrices) return columns
  return [
    ...columns,
    {
      name: 'Cost',
      isFigure: true,
      sortBy: ({ usd }) => usd ?? -1,
      cell: (call) => <CallCost call={call} />,
    },
    { name: 'So far', isFigure: true, cell: (_, index) => formatFineUsd(usdSoFar[index] ?? 0) },
  ]
}

type CallUsage = NonNullable<ChartCall['usage']>

function tokenColumn(name: string, read: (usage: CallUsage) => number): DataColumn<ChartCall> {
  return {
    name,
    isFigure: true,
    sortBy: ({ usage }) => (usage === null ? -1 : read(usage)),
    cell: ({ usage }) => (usage === null ? '-' : formatCount(read(usage))),
  }
}

interface CallNameProps {
  call: ChartCall
  number: number
  onJump: Props['onJump']
}

/** Link to its message, and its state. */
function CallName({ call: { messageKey, offset, failed, superseded }, number, onJump }: CallNameProps) {
  return (
    <>
      <a
        className="link"
        href={`#m-${messageKey}`}
        onClick={(event) => {
          event.preventDefault()
          onJump(messageKey, offset)
        }}
      >
        {number}
      </a>
      {failed && <span className="tone-error"> failed</span>}{' '}
      {superseded !== null && <SupersededWord cause={superseded} className="dim" />}
    </>
  )
}

function CallCost({ call: { usd, isAtHigherRate } }: { call: ChartCall }) {
  return (
    <>
      {isAtHigherRate && <span className="dim">higher rate </span>}
      {usd === null ? 'unknown' : formatFineUsd(usd)}
    </>
  )
}
