import type { SessionCalls } from '@gemini-dash/api'
import { CHART_STEPS } from '@gemini-dash/api/paths'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from '@visx/scale'
import type { Compression, ContextBlock, ContextCall, ContextKind, ContextXray } from 'gemini-sessions'
import { memo, useId, useMemo, useState } from 'react'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { SupersededWord } from '../../content/superseded-word.tsx'
import { formatCount, formatTokens, formatUsd } from '../../lib/figures.ts'
import { useElementWidth } from '../../lib/hooks.ts'
import { isTakenBack, SUPERSEDED_WORD } from '../../lib/session-words.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { PlotField, PlotHatch, PlotSeam, useActiveStep, ValueAxis } from '../../ui/plot.tsx'
import { Failed, SkeletonRows } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table.tsx'
import { ToMessage } from '../../ui/to-message.tsx'
import { COST_TEXT as TEXT } from './session-cost.tsx'

interface Props {
  sessionRef: string
  compressions: readonly Compression[]
  onOpen: (messageKey: string) => void
}

/** How the context grew and shrank, as a chart or a table. */
export function ContextPanel({ sessionRef, compressions, onOpen }: Props) {
  const [isTable, setIsTable] = useState(false)
  const asked = useQuery(sessionAnswerQuery('calls', sessionRef, { steps: CHART_STEPS }))
  const { data: calls, error, refetch } = asked
  if (calls?.input.every((input) => input === null)) return null
  return (
    <section
      className="panel"
      aria-labelledby="context-title"
      aria-busy={calls === undefined && error === null}
    >
      <header className="panel-head">
        <h2 id="context-title">{TEXT.contextTitle}</h2>
        <p>{TEXT.contextNote}</p>
        <div className="push">
          <Button look="quiet" size="tiny" onClick={() => setIsTable(!isTable)}>
            {isTable ? TEXT.asChart : TEXT.asTable}
          </Button>
        </div>
      </header>
      {error !== null && calls === undefined ? (
        <Failed what={TEXT.requestsNotLoaded} error={error} onRetry={() => void refetch()} />
      ) : isTable ? (
        <ContextTable sessionRef={sessionRef} />
      ) : (
        <div className="panel-body">
          {calls === undefined ? (
            <div className="context-frame" />
          ) : (
            <ContextChart calls={calls} compressions={compressions} onOpen={onOpen} />
          )}
        </div>
      )}
    </section>
  )
}

interface ContextChartProps {
  calls: SessionCalls
  compressions: readonly Compression[]
  /** Scrolls to the message of a request. */
  onOpen: (messageKey: string) => void
}

/** Context size of each request; a click or Enter opens the message. */
function ContextChart({ calls, compressions, onOpen }: ContextChartProps) {
  const { ref, width } = useElementWidth()
  const geometry = useMemo(() => contextGeometry(calls, compressions, width), [calls, compressions, width])
  const { steps } = geometry
  const indexAt = (step: number) => steps[step]?.index ?? 0
  const { active, field } = useActiveStep(steps.length, (step) =>
    onOpen(calls.messageKeys[indexAt(step)] ?? ''),
  )
  return (
    <div ref={ref} className="context-frame">
      <PlotField
        className="context-plot"
        label={`${summaryOf(geometry)} ${TEXT.chartKeys}`}
        stepAt={(x) => contextStepAt(geometry, x)}
        {...field}
      >
        {width > 0 && (
          <svg width={width} height={CONTEXT_LAYOUT.height} aria-hidden="true">
            <Drawing geometry={geometry} calls={calls} />
            {active !== null && <Cursor geometry={geometry} step={active} />}
          </svg>
        )}
      </PlotField>
      <p className="context-readout label" role="status">
        {active === null ? '' : describeRequest(calls, indexAt(active))}
      </p>
    </div>
  )
}

function summaryOf({ steps, compressions }: ContextGeometry): string {
  const peak = steps.reduce((most, { input }) => Math.max(most, input), 0)
  const compressed = compressions.length === 0 ? '' : `, ${TEXT.compressedTimes(compressions.length)}`
  return `${TEXT.atMost(formatTokens(peak))}${compressed}.`
}

/** `Request 17, turn 5: 207k tokens, 40.3k cached, $0.43` */
function describeRequest(calls: SessionCalls, index: number): string {
  const { size = 1, calls: total = calls.messageKeys.length } = calls.steps ?? {}
  const first = index * size + 1
  const last = Math.min(first + size - 1, total)
  const usd = (calls.steps ?? calls).usd[index] ?? null
  const superseded = calls.superseded.find(([at]) => at === index)?.[1]
  return [
    TEXT.sent(TEXT.request(first, last), calls.turns[index], formatTokens(calls.input[index] ?? 0)),
    TEXT.cachedOf(formatTokens(calls.cached[index] ?? 0)),
    ...(usd === null ? [] : [formatUsd(usd)]),
    ...(superseded === undefined ? [] : [SUPERSEDED_WORD[superseded]]),
  ].join(', ')
}

function Cursor({ geometry: { steps, step: width, y }, step }: { geometry: ContextGeometry; step: number }) {
  const at = steps[step]
  if (at === undefined) return null
  const x = at.x + width / 2
  return (
    <g className="plot-cursor">
      <line x1={x} x2={x} y1={CONTEXT_LAYOUT.top} y2={CONTEXT_LAYOUT.bottom} />
      <circle cx={x} cy={y(at.input)} r="3.5" />
    </g>
  )
}

const Drawing = memo(function Drawing({
  geometry,
  calls,
}: {
  geometry: ContextGeometry
  calls: SessionCalls
}) {
  const hatch = useId()
  const { left, right, top, bottom, words } = CONTEXT_LAYOUT
  const end = geometry.width - right
  const takenBack = new Set(calls.superseded.flatMap(([at, cause]) => (isTakenBack(cause) ? [at] : [])))
  return (
    <>
      <PlotHatch id={hatch} sizePx={8} />
      <ValueAxis ticks={geometry.ticks} left={left} right={end} write={formatTokens} />
      <path className="context-area" d={geometry.area} />
      {geometry.steps.map(
        ({ index, x, input }) =>
          takenBack.has(index) && (
            <rect
              key={index}
              x={x}
              y={geometry.y(input)}
              width={geometry.step}
              height={bottom - geometry.y(input)}
              fill={`url(#${hatch})`}
            />
          ),
      )}
      <path className="context-line" d={geometry.line} />
      {geometry.higherRate !== null && (
        <g className="context-rate">
          <line x1={left} x2={end} y1={geometry.higherRate.y} y2={geometry.higherRate.y} />
          <text x={left - 8} y={geometry.higherRate.y + 4} textAnchor="end">
            {formatTokens(geometry.higherRate.value)}
          </text>
          <text x={left + 6} y={geometry.higherRate.y - 5}>
            {TEXT.higherRate}
          </text>
        </g>
      )}
      {geometry.turns.map(({ x, number }) => (
        <g key={number}>
          <line className="plot-tick" x1={x} x2={x} y1={bottom} y2={bottom + 6} />
          <text x={x + 3} y={words}>
            {number}
          </text>
        </g>
      ))}
      {geometry.compressions.map(({ x, inputBefore, inputAfter }) => (
        <PlotSeam
          key={x}
          x={x}
          top={top + 24}
          bottom={bottom}
          right={end}
          words={TEXT.compressed(formatTokens(inputBefore), formatTokens(inputAfter))}
        />
      ))}
    </>
  )
})

/** In px. */
export const CONTEXT_LAYOUT = { height: 120, left: 56, right: 12, top: 16, bottom: 97, words: 115 } as const
/** Width needed for a turn number. */
const NUMBER_ROOM_PX = 26
/** The line of the higher rate is drawn if the context reaches this share of it. */
const NEAR_HIGHER_RATE = 0.5

interface ContextStep {
  /** Index in the answer. */
  index: number
  x: number
  input: number
}

interface ContextGeometry {
  width: number
  /** Width of a step, in px. */
  step: number
  steps: ContextStep[]
  ticks: { value: number; y: number }[]
  /** The upper edge, and the area below it. */
  line: string
  area: string
  /** Token count above which tokens of a request cost more; null if the context stays far below. */
  higherRate: { value: number; y: number } | null
  compressions: { x: number; inputBefore: number; inputAfter: number }[]
  turns: { x: number; number: number }[]
  y: (tokens: number) => number
}

/** Input tokens of each request over the session, for a measured width. Requests without recorded tokens are left out. */
export function contextGeometry(
  calls: SessionCalls,
  compressions: readonly Compression[],
  width: number,
): ContextGeometry {
  const { left, right, top, bottom } = CONTEXT_LAYOUT
  const recorded = calls.input.flatMap((input, index) => (input === null ? [] : [{ index, input }]))
  const step = Math.max(width - left - right, 1) / Math.max(recorded.length, 1)
  const steps = recorded.map((each, place) => ({ ...each, x: left + place * step }))
  const peak = steps.reduce((most, { input }) => Math.max(most, input), 1)
  const rate = higherRateOf(calls)
  const isNear = rate !== null && peak >= rate * NEAR_HIGHER_RATE
  const y = scaleLinear({ domain: [0, isNear ? Math.max(peak, rate) : peak], range: [bottom, top] })
  const line = stairs(steps, step, y)
  return {
    width,
    step,
    steps,
    ticks: y
      .ticks(2)
      .filter((value) => !isNear || value !== rate)
      .map((value) => ({ value, y: y(value) })),
    line,
    area: steps.length === 0 ? '' : `${line}V${bottom}H${left}Z`,
    higherRate: isNear ? { value: rate, y: y(rate) } : null,
    compressions: seamsOf(compressions, steps, calls),
    turns: turnsOf(steps, calls),
    y: (tokens) => y(tokens),
  }
}

/** The step under `x`; null outside the plot. */
export function contextStepAt({ step, steps }: ContextGeometry, x: number): number | null {
  const index = Math.floor((x - CONTEXT_LAYOUT.left) / step)
  return index >= 0 && index < steps.length ? index : null
}

function higherRateOf({ models }: SessionCalls): number | null {
  const rates = models.flatMap(({ higherRateAbove }) => higherRateAbove ?? [])
  return rates.length === 0 ? null : Math.min(...rates)
}

/** A step line. */
function stairs(steps: readonly ContextStep[], step: number, y: (tokens: number) => number): string {
  return steps
    .map(({ x, input }, place) => {
      const height = round(y(input))
      return `${place === 0 ? `M${round(x)} ${height}` : `V${height}`}H${round(x + step)}`
    })
    .join('')
}

function seamsOf(
  compressions: readonly Compression[],
  steps: readonly ContextStep[],
  { offsets }: SessionCalls,
): ContextGeometry['compressions'] {
  return compressions.flatMap(({ offset, inputBefore, inputAfter }) => {
    const step = steps.find(({ index }) => (offsets[index] ?? 0) >= offset)
    if (step === undefined || inputBefore === null || inputAfter === null) return []
    return [{ x: step.x, inputBefore, inputAfter }]
  })
}

/** Turn starts with room for their number. */
function turnsOf(steps: readonly ContextStep[], { turns }: SessionCalls): ContextGeometry['turns'] {
  const found: ContextGeometry['turns'] = []
  let turn = 0
  let nextFreeX = 0
  for (const { index, x } of steps) {
    const number = turns[index] ?? 0
    if (number !== turn && x >= nextFreeX) {
      found.push({ x, number })
      nextFreeX = x + NUMBER_ROOM_PX
    }
    turn = number
  }
  return found
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

const PAGE_ROWS = 100

/** Context of each request in figures, by content. Loaded when opened, as it requires counting all texts. */
function ContextTable({ sessionRef }: { sessionRef: string }) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('context', sessionRef))
  const series = useMemo(() => (data === undefined ? [] : contextSeries(data)), [data])
  if (error !== null && data === undefined)
    return <Failed what={TEXT.contextNotLoaded} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={6} label={TEXT.contextLoading} />
  return (
    <>
      <DataTable
        label={TEXT.contextTable}
        regionClass="context-table"
        rows={data.calls}
        keyOf={({ messageKey }) => messageKey}
        rowClass={({ superseded }) => isTakenBack(superseded) && 'dim'}
        pages={{ first: PAGE_ROWS, more: PAGE_ROWS, unit: 'request' }}
        columns={[
          {
            name: TEXT.requestColumn,
            cell: ({ messageKey, superseded }, index) => (
              <>
                <ToMessage sessionRef={sessionRef} messageKey={messageKey} call={null}>
                  {formatCount(index + 1)}
                </ToMessage>{' '}
                {superseded !== null && <SupersededWord cause={superseded} />}
              </>
            ),
          },
          { name: TEXT.turn, isFigure: true, cell: ({ turn }) => turn },
          { name: TEXT.input, isFigure: true, className: 'main', cell: ({ input }) => formatCount(input) },
          { name: TEXT.cached, isFigure: true, cell: ({ cached }) => formatCount(cached) },
          ...series.map(({ name, blocks }) => ({
            name,
            isFigure: true,
            cell: ({ tokens }: ContextCall) =>
              figure(blocks.reduce((sum, block) => sum + (tokens[block] ?? 0), 0)),
          })),
        ]}
      />
      <p className="panel-body dim cost-note">{TEXT.contextSplit}</p>
    </>
  )
}

function figure(tokens: number): string {
  return tokens === 0 ? '-' : formatCount(tokens)
}

/** A column of the table: one or more blocks. */
interface ContextSeries {
  name: string
  /** Indexes in the list of blocks. */
  blocks: number[]
}

const KINDS: [name: string, kinds: ContextKind[]][] = [
  [TEXT.contextKinds.baseline, ['baseline']],
  [TEXT.contextKinds.sessionContext, ['session-context']],
  [TEXT.contextKinds.prompts, ['prompt']],
  [TEXT.contextKinds.files, ['file']],
  ['', ['tool-result']],
  [TEXT.contextKinds.answers, ['answer', 'tool-call']],
  [TEXT.contextKinds.unrecorded, ['unrecorded']],
]
/** Further tools share a column. */
const MOST_TOOLS = 3

/** What requests sent, by kind; the tools with the most tokens have their own columns. */
function contextSeries({ blocks, calls }: Pick<ContextXray, 'blocks' | 'calls'>): ContextSeries[] {
  const sums = blocks.map((_, block) => calls.reduce((sum, { tokens }) => sum + (tokens[block] ?? 0), 0))
  const sumOf = (block: number) => sums[block] ?? 0
  return KINDS.flatMap(([name, kinds]) => {
    const own = [...blocks.keys()].filter((block) => isOneOf(blocks[block], kinds) && sumOf(block) > 0)
    if (name !== '') return own.length === 0 ? [] : [{ name, blocks: own }]
    const ranked = own.sort((one, other) => sumOf(other) - sumOf(one))
    const others = ranked.slice(MOST_TOOLS)
    return [
      ...ranked.slice(0, MOST_TOOLS).map((block) => ({ name: resultsOf(blocks[block]), blocks: [block] })),
      ...(others.length === 0 ? [] : [{ name: TEXT.otherTools, blocks: others }]),
    ]
  })
}

function isOneOf(block: ContextBlock | undefined, kinds: readonly ContextKind[]): boolean {
  return block !== undefined && kinds.includes(block.kind)
}

/** `ReadFile results` */
function resultsOf(block: ContextBlock | undefined): string {
  return TEXT.toolResults(block === undefined || block.name === '' ? '' : toolLabel(block.name))
}
