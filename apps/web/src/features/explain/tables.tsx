import type { CostTerm } from '@gemini-dash/api'
import { formatExactUsd } from '@gemini-dash/api/figures'
import type { Cost, TokenUsage } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { useHasPrices } from '../../api/queries.ts'
import { ExplainButton, type Explained, type FigureName } from '../../content/explain-button.tsx'
import { classNames } from '../../lib/browser.ts'
import { describeCost, formatCount } from '../../lib/figures.ts'
import { type DataColumn, DataTable } from '../../ui/table.tsx'

type TokenField = Exclude<FigureName, 'calls' | 'cost'>

/** The recorded fields in the order in which they are read, and what each is to the sum. */
const FIELDS: readonly { field: TokenField; name: string; means: string; isPart?: boolean }[] = [
  { field: 'input', name: 'input', means: 'all that was sent' },
  {
    field: 'cached',
    name: 'cached',
    means: 'part of the input, at the cache rate; counted once',
    isPart: true,
  },
  { field: 'output', name: 'output', means: 'the answer' },
  { field: 'thoughts', name: 'thoughts', means: 'billed like output' },
  { field: 'tool', name: 'tool', means: 'what built-in tools brought in, billed like input' },
]

/** The recorded fields of a call or of a sum, and how each counts. The figure that was asked for is marked. */
export function TokenTable({ usage, figure }: { usage: TokenUsage; figure: FigureName | undefined }) {
  const { input, output, thoughts, tool, total } = usage
  const apart = total - (input + output + thoughts + tool)
  const sum =
    apart === 0
      ? 'as recorded: input, output, thoughts and tool'
      : `as recorded; its parts come to ${formatCount(total - apart)}`
  return (
    <DataTable
      label="Recorded tokens"
      className="explain-tokens"
      rows={FIELDS.filter(({ field }) => usage[field] > 0 || field === figure || field === 'input')}
      keyOf={({ field }) => field}
      rowClass={({ field, isPart }) => classNames(isPart && 'part', field === figure && 'asked')}
      footClass={figure === 'total' ? 'asked' : undefined}
      columns={[
        { name: 'Recorded', cell: ({ name }) => name, foot: 'total' },
        {
          name: 'Tokens',
          isFigure: true,
          cell: ({ field }) => formatCount(usage[field]),
          foot: formatCount(total),
        },
        { name: 'Is', className: 'means', cell: ({ means }) => means, foot: sum },
      ]}
    />
  )
}

interface Figures {
  usage: TokenUsage | null
  cost: Cost | null
  /** What the row in turn is the sum of. */
  explains?: Explained
}

type Row = Figures & { key: string; name: ReactNode }

interface Props {
  label: string
  /** What the rows are: `Session`, `Model`. */
  head: string
  rows: readonly Row[]
  /** The sum of all rows, where they are all there. */
  together?: Figures
}

/** What a sum is made of, part by part. */
export function SumTable({ label, head, rows, together }: Props) {
  const hasPrices = useHasPrices()
  const columns: DataColumn<Row>[] = [
    { name: head, cell: ({ name }) => name, foot: together && 'Total' },
    {
      name: 'Calls',
      isFigure: true,
      cell: ({ usage }) => callsOf(usage),
      foot: together && callsOf(together.usage),
    },
    {
      name: 'Tokens',
      isFigure: true,
      cell: (row) => <Tokens of={row} />,
      foot: together && <Tokens of={together} />,
    },
  ]
  if (hasPrices)
    columns.push({
      name: 'Cost',
      isFigure: true,
      title: ({ cost }) => describeCost(cost),
      cell: (row) => <Money of={row} />,
      foot: together && <Money of={together} />,
    })
  return (
    <DataTable
      label={label}
      className="explain-parts"
      rows={rows}
      keyOf={({ key }) => key}
      columns={columns}
    />
  )
}

function callsOf(usage: TokenUsage | null): string {
  return usage === null ? '-' : formatCount(usage.calls)
}

function Tokens({ of: { usage, explains } }: { of: Figures }) {
  return (
    <Explainable of={explains && { ...explains, figure: 'total' }}>
      {usage === null ? '-' : formatCount(usage.total)}
    </Explainable>
  )
}

function Money({ of: { cost, explains } }: { of: Figures }) {
  return <Explainable of={explains && { ...explains, figure: 'cost' }}>{moneyOf(cost)}</Explainable>
}

function Explainable({ of, children }: { of: Explained | undefined; children: string }) {
  return of === undefined ? (
    children
  ) : (
    <ExplainButton of={of} name="">
      {children}
    </ExplainButton>
  )
}

function moneyOf(cost: Cost | null): string {
  if (cost?.usd == null) return 'unknown'
  return `${formatExactUsd(cost.usd)}${cost.unpricedCalls > 0 ? '+' : ''}`
}

const NAMES = {
  input: 'new input',
  cached: 'cached input',
  output: 'output',
  thoughts: 'thoughts',
  tool: 'tool',
} as const

/** The products of a sum: tokens, rate, dollars. */
export function TermTable({ terms, usd }: { terms: readonly CostTerm[]; usd: number | null }) {
  const money = (amount: number | null) => (amount === null ? 'unknown' : formatExactUsd(amount))
  return (
    <DataTable
      label="Tokens times rate"
      className="explain-terms"
      rows={terms.filter(({ tokens }) => tokens > 0)}
      keyOf={({ kind }) => kind}
      columns={[
        { name: 'Tokens', cell: ({ kind }) => NAMES[kind], foot: 'Total' },
        { name: 'Count', isFigure: true, cell: ({ tokens }) => formatCount(tokens) },
        { name: '$ per 1M', isFigure: true, cell: ({ usdPerMillion }) => usdPerMillion ?? 'unknown' },
        { name: 'Cost', isFigure: true, cell: (term) => money(term.usd), foot: money(usd) },
      ]}
    />
  )
}
