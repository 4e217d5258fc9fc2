import './token-chart.css'
import type { SessionCalls } from '@gemini-dash/api'
import { Bar } from '@visx/shape'
import type { Compression } from 'gemini-sessions'
import { memo, useId, useMemo, useRef } from 'react'
import { formatClock } from '../../lib/dates.ts'
import { formatCount, formatFineUsd, formatPercent, formatPlural, formatTokens } from '../../lib/figures.ts'
import { useElementWidth, useIsNarrow } from '../../lib/hooks.ts'
import { SUPERSEDED_MEANING, SUPERSEDED_WORD } from '../../lib/session-words.ts'
import { PlotField, PlotHatch, PlotSeam, useActiveStep, ValueAxis } from '../../ui/plot.tsx'
import { type ChartCall, LAYOUT } from './chart-call.ts'
import {
  type ChartGeometry,
  chartGeometry,
  isContextState,
  type Step,
  stepAt,
  type Tick,
} from './chart-geometry.ts'

const WIDTH = 240
/** Distance to the crosshair, so that the bar and its marks stay visible. */
const DISTANCE = 20

interface Props {
  calls: readonly ChartCall[]
  models: SessionCalls['models']
  compressions: readonly Compression[]
  /** false hides the cost band. */
  hasPrices: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** On a phone the chart keeps a readable width and scrolls. */
const NARROW_WIDTH = 800

/** The interactive chart: pointer and arrow keys move between bars, a click or Enter opens the message. */
export default function ChartPlot(props: Props) {
  const { calls, models, compressions, hasPrices, onJump } = props
  const bottom = hasPrices ? LAYOUT.costBottom : LAYOUT.contextBottom
  const { ref, width } = useElementWidth()
  const isNarrow = useIsNarrow()
  const drawnWidth = isNarrow ? Math.max(width, NARROW_WIDTH) : width
  const geometry = useMemo(
    () => chartGeometry({ calls, models, compressions, width: drawnWidth }),
    [calls, models, compressions, drawnWidth],
  )
  const { steps } = geometry
  const { active, isByKeyboard, field } = useActiveStep(steps.length, (index) => {
    const call = steps[index]?.call
    if (call !== undefined) onJump(call.messageKey, call.offset)
  })
  const frame = useRef<HTMLDivElement | null>(null)
  const activeStep = active === null ? undefined : steps[active]
  return (
    <div
      className="chart-frame"
      ref={(element) => {
        frame.current = element
        return ref(element)
      }}
    >
      <PlotField
        className="chart-scroll sheet scroll-x"
        label={`Tokens per request, ${formatPlural(calls.length, 'request')}. Arrow keys walk, Enter opens the message.`}
        stepAt={(x) => stepAt(geometry, x)}
        placeOf={(index) => steps[index]?.x ?? 0}
        {...field}
      >
        {width > 0 && (
          <svg
            width={drawnWidth}
            height={bottom + LAYOUT.belowBands}
            role="img"
            aria-label={chartSummary(calls, hasPrices)}
          >
            <ChartDrawing geometry={geometry} bottom={bottom} />
            {activeStep !== undefined && <Crosshair step={activeStep} bottom={bottom} />}
          </svg>
        )}
      </PlotField>
      {activeStep !== undefined && (
        <ChartTooltip
          step={activeStep}
          x={middleOf(activeStep) - (frame.current?.firstElementChild?.scrollLeft ?? 0)}
          frameWidth={width}
          hasPrices={hasPrices}
        />
      )}
      {steps.length < calls.length && (
        <p className="chart-gathered label">
          {formatPlural(calls.length, 'request')} in {formatCount(steps.length)} bars: each shows the largest
          of its requests, the cost line counts all.
        </p>
      )}
      <p className="visually-hidden" role="status">
        {isByKeyboard && activeStep !== undefined && callSentence(activeStep)}
      </p>
    </div>
  )
}

/** A line across all bands, with a point on each curve. */
function Crosshair({ step, bottom }: { step: Step; bottom: number }) {
  const x = middleOf(step)
  return (
    <g className="plot-cursor">
      <line x1={x} x2={x} y1="6" y2={bottom} />
      {isContextState(step) && <circle cx={x} cy={step.contextY} r="3" />}
      {step.costY <= bottom && <circle cx={x} cy={step.costY} r="3" />}
    </g>
  )
}

function middleOf({ barX, barWidth }: Step): number {
  return barX + barWidth / 2
}

interface ChartTooltipProps {
  step: Step
  /** Crosshair position in the frame. */
  x: number
  frameWidth: number
  hasPrices: boolean
}

/** Exact figures of one request. The same is in the table, and announced for keyboard users. */
function ChartTooltip({ step, x, frameWidth, hasPrices }: ChartTooltipProps) {
  const { usage, usd, time, turn } = step.call
  const left = x + DISTANCE + WIDTH > frameWidth ? Math.max(x - DISTANCE - WIDTH, 0) : x + DISTANCE
  return (
    <div className="chart-tooltip" style={{ left }} aria-hidden="true">
      <p className="chart-tooltip-head">
        <b>
          {stepName(step)}
          {turn > 0 && `, turn ${turn}`}
        </b>
        {time !== null && <span>{formatClock(new Date(time).toISOString(), 'seconds')}</span>}
      </p>
      {usage === null ? (
        <p>Tokens were not recorded.</p>
      ) : (
        <dl>
          {usage.tool > 0 && <Line name="tooluse" label="tool" tokens={usage.tool} />}
          <Line name="thoughts" label="thinking" tokens={usage.thoughts} />
          <Line name="output" label="output" tokens={usage.output} />
          <Line name="fresh" label="new input" tokens={Math.max(usage.input - usage.cached, 0)} />
          <Line name="cached" label="cached input" tokens={usage.cached} />
        </dl>
      )}
      {hasPrices && (
        <>
          <p className="chart-tooltip-sum">
            <b>cost</b>
            <b>{usd === null ? 'unknown' : formatFineUsd(usd)}</b>
          </p>
          <p className="chart-tooltip-head">
            <span>cost so far</span>
            <span>{formatFineUsd(step.usdSoFar)}</span>
          </p>
        </>
      )}
      {step.isAtHigherRate && <p className="dim">Long input: at the higher rate</p>}
      {step.isSuperseded && step.call.superseded !== null && (
        <p className="dim">{SUPERSEDED_MEANING[step.call.superseded]}</p>
      )}
      {step.hasFailure && <p className="tone-error">A tool failed</p>}
    </div>
  )
}

function Line({ name, label, tokens }: { name: string; label: string; tokens: number }) {
  return (
    <div>
      <dt>
        <span className={`chart-key ${name}`} />
        {label}
      </dt>
      <dd>{formatCount(tokens)}</dd>
    </div>
  )
}

/** A step in words, for screen readers. */
function callSentence(step: Step): string {
  const { usage, usd, turn } = step.call
  const name = stepName(step)
  if (usage === null) return `${name}, turn ${turn}: tokens not recorded`
  const figures = [
    `${formatCount(usage.input)} input, ${formatCount(usage.cached)} cached`,
    `${formatCount(usage.output)} output`,
    usage.thoughts > 0 && `${formatCount(usage.thoughts)} thinking`,
    usage.tool > 0 && `${formatCount(usage.tool)} tool`,
    usd !== null && formatFineUsd(usd),
    step.hasFailure && 'a tool failed',
    step.isSuperseded && step.call.superseded !== null && SUPERSEDED_WORD[step.call.superseded],
  ].filter(Boolean)
  return `${name}, turn ${turn}: ${figures.join(', ')}`
}

/** `Request 25`, or `Largest of requests 121 to 125`. */
function stepName({ first, last }: { first: number; last: number }): string {
  return first === last ? `Request ${first}` : `Largest of requests ${first} to ${last}`
}

interface ChartDrawingProps {
  geometry: ChartGeometry
  /** Bottom edge of the lowest band. */
  bottom: number
}

/** The three bands, without interaction. */
const ChartDrawing = memo(function ChartDrawing({ geometry, bottom }: ChartDrawingProps) {
  const hatch = useId()
  const right = geometry.width - LAYOUT.right
  return (
    <>
      <defs>
        <PlotHatch id={hatch} />
      </defs>
      <ChartGrid geometry={geometry} right={right} />
      {geometry.steps.map((step) => (
        <StepBar key={step.index} step={step} hatch={hatch} />
      ))}
      <ChartRuler geometry={geometry} right={right} />
      {geometry.contextPaths.map((path) => (
        <path key={path} className="chart-context" d={path} />
      ))}
      <Seams geometry={geometry} bottom={bottom} />
      {bottom === LAYOUT.costBottom && <CostBand geometry={geometry} right={right} />}
      <ContextNow geometry={geometry} right={right} />
    </>
  )
})

function StepBar({ step, hatch }: { step: Step; hatch: string }) {
  const place = { x: step.barX, width: step.barWidth }
  return (
    <g className={step.isSuperseded ? 'chart-superseded' : undefined}>
      {step.blocks.map(({ tokenClass, y, height }) => (
        <Bar key={tokenClass} className={`fill-${tokenClass}`} {...place} y={y} height={height} />
      ))}
      {step.blocks
        .filter(({ tokenClass }) => tokenClass === 'cached')
        .map(({ y, height }) => (
          <Bar key="hatch" {...place} y={y} height={height} fill={`url(#${hatch})`} />
        ))}
    </g>
  )
}

function Seams({ geometry, bottom }: ChartDrawingProps) {
  return geometry.seams.map(({ x, compression }) => {
    const { inputBefore, inputAfter } = compression
    const saved =
      inputBefore !== null && inputAfter !== null
        ? `, ${formatTokens(inputBefore)} → ${formatTokens(inputAfter)}`
        : ''
    return (
      <PlotSeam
        key={compression.messageKey}
        x={x}
        top={6}
        bottom={bottom}
        right={geometry.width - LAYOUT.right}
        words={`compressed${saved}`}
      />
    )
  })
}

function CostBand({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const { costPath, costGaps, costArea, totalUsd, hasUnpriced, steps } = geometry
  return (
    <>
      <line
        className="plot-axis"
        x1={LAYOUT.left}
        x2={right}
        y1={LAYOUT.costBottom + 0.5}
        y2={LAYOUT.costBottom + 0.5}
      />
      <BandName y={(LAYOUT.costTop + LAYOUT.costBottom) / 2}>cost</BandName>
      <text x={LAYOUT.left - 8} y={LAYOUT.costBottom + 1} textAnchor="end">
        $0
      </text>
      {costPath !== '' && (
        <>
          <path className="chart-cost-area" d={costArea} />
          <path className="chart-cost" d={costPath} />
          {costGaps !== '' && <path className="chart-cost unknown" d={costGaps} />}
          {steps
            .filter(({ isTierJump }) => isTierJump)
            .map(({ index, barX, barWidth, costY }) => (
              <path
                key={index}
                className="chart-tier-jump"
                d={`M${barX + barWidth / 2} ${costY - 9}l4 7h-8z`}
              />
            ))}
        </>
      )}
      <text
        className="chart-value"
        x={right + 8}
        y={costPath === '' ? LAYOUT.costBottom : LAYOUT.costTop + 8}
      >
        {totalUsd === null ? 'unknown' : `${formatFineUsd(totalUsd)}${hasUnpriced ? '+' : ''}`}
      </text>
    </>
  )
}

/** Input of the last request that is not superseded: the current context size. */
function ContextNow({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const last = geometry.steps.findLast(isContextState)
  if (last?.call.usage == null) return null
  const { contextWindow } = geometry
  const y = Math.min(Math.max(last.contextY + 4, LAYOUT.contextTop + 4), LAYOUT.contextBottom - 12)
  return (
    <text className="chart-value" x={right + 8} y={y}>
      {formatTokens(last.call.usage.input)}
      <tspan className="chart-note" x={right + 8} dy="13">
        {contextWindow === null
          ? 'context now'
          : `now, ${formatPercent(last.call.usage.input / contextWindow)} full`}
      </tspan>
    </text>
  )
}

/** Behind the bars: grid lines with values, the context window, and the start of higher rates. */
function ChartGrid({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const { receivedTicks, sentTicks, contextTicks, tier, windowY, contextWindow } = geometry
  return (
    <>
      <ValueAxis
        ticks={[...receivedTicks, ...sentTicks, ...contextTicks]}
        left={LAYOUT.left}
        right={right}
        write={formatTokens}
      />
      {tier !== null && (
        <>
          <line className="chart-tier" x1={LAYOUT.left} x2={right} y1={tier.y} y2={tier.y} />
          <TierWord tier={tier} windowY={windowY} right={right} />
        </>
      )}
      {windowY !== null && contextWindow !== null && (
        <>
          <line className="chart-window" x1={LAYOUT.left} x2={right} y1={windowY} y2={windowY} />
          <text x={right - 6} y={windowY - 3} textAnchor="end">
            window {formatTokens(contextWindow)}
          </text>
        </>
      )}
      <line
        className="plot-axis"
        x1={LAYOUT.left}
        x2={right}
        y1={LAYOUT.contextBottom + 0.5}
        y2={LAYOUT.contextBottom + 0.5}
      />
      <BandName y={(LAYOUT.receivedTop + LAYOUT.rulerTop) / 2}>output</BandName>
      <BandName y={(LAYOUT.rulerBottom + LAYOUT.sentBottom) / 2}>input</BandName>
      <BandName y={(LAYOUT.contextTop + LAYOUT.contextBottom) / 2}>context</BandName>
    </>
  )
}

/** Label above its line; beside the window's label if that is near. */
function TierWord({ tier, windowY, right }: { tier: Tick; windowY: number | null; right: number }) {
  const isNear = windowY !== null && tier.y - windowY < 14
  const place = isNear
    ? ({ x: right - 88, y: windowY - 3, textAnchor: 'end' } as const)
    : { x: LAYOUT.left + 6, y: tier.y - 3 }
  return (
    <text className="chart-tier-word" {...place}>
      {formatTokens(tier.value)}, higher rate above
    </text>
  )
}

/** Label of a band. */
function BandName({ y, children }: { y: number; children: string }) {
  return (
    <text x="12" y={y} transform={`rotate(-90 12 ${y})`} textAnchor="middle" dominantBaseline="middle">
      {children}
    </text>
  )
}

/** Width of a digit and of the margins of a number, in px. */
const DIGIT_ROOM = 7
const ROOM_BESIDE = 8
/** Offset of a number from its tick, and half the size of a cross. */
const NUMBER_AT = 4
const CROSS_REACH = 4

/** Between the bands: a tick per request, a long one with a number per turn, a cross for each failed tool call. */
function ChartRuler({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const { rulerTop, rulerBottom } = LAYOUT
  const numbered = numberedTurns(geometry)
  const hasRoomForTicks = geometry.step >= 5
  return (
    <>
      <line className="plot-axis" x1={LAYOUT.left} x2={right} y1={rulerTop} y2={rulerTop} />
      <line className="plot-axis" x1={LAYOUT.left} x2={right} y1={rulerBottom} y2={rulerBottom} />
      {geometry.steps.map(({ index, x, turn, barX, barWidth, hasFailure, isSuperseded, call }) => {
        const isTurn = turn !== null && (numbered.has(index) || hasRoomForTicks)
        const middle = barX + barWidth / 2
        return (
          <g key={index}>
            {(isTurn || hasRoomForTicks) && (
              <line
                className="plot-tick"
                x1={x}
                x2={x}
                y1={isTurn ? rulerTop : rulerBottom - 4}
                y2={rulerBottom}
              />
            )}
            {numbered.has(index) && (
              <text className="plot-strong" x={x + NUMBER_AT} y={rulerBottom - 5}>
                {index === 0 && geometry.step > 40 ? `turn ${turn}` : turn}
                {isSuperseded && geometry.step > 24 && call.superseded !== null && (
                  <>
                    <title>{SUPERSEDED_MEANING[call.superseded]}</title>
                    {` ${SUPERSEDED_WORD[call.superseded]}`}
                  </>
                )}
              </text>
            )}
            {hasFailure && (
              <path className="chart-failure" d={`M${middle - 3} ${rulerTop + 5.5}l6 6m0-6l-6 6`} />
            )}
          </g>
        )
      })}
    </>
  )
}

/** Turns whose number fits beside the previous one and is not covered by a failure's cross. */
export function numberedTurns({ steps }: Pick<ChartGeometry, 'steps'>): Set<number> {
  const crosses = steps.flatMap(({ hasFailure, barX, barWidth }) => (hasFailure ? [barX + barWidth / 2] : []))
  const numbered = new Set<number>()
  let nextFreeX = 0
  let cross = 0
  for (const { index, x, turn } of steps) {
    if (turn === null || x < nextFreeX) continue
    const end = x + NUMBER_AT + String(turn).length * DIGIT_ROOM
    while ((crosses[cross] ?? Number.POSITIVE_INFINITY) + CROSS_REACH < x + NUMBER_AT) cross += 1
    if ((crosses[cross] ?? Number.POSITIVE_INFINITY) - CROSS_REACH < end) continue
    numbered.add(index)
    nextFreeX = end + ROOM_BESIDE - NUMBER_AT
  }
  return numbered
}

/** The chart in a sentence, for screen readers. */
function chartSummary(calls: readonly ChartCall[], hasPrices: boolean): string {
  const peak = calls.reduce((max, call) => Math.max(max, call.usage?.input ?? 0), 0)
  const tokens = `Tokens of each of ${formatPlural(calls.length, 'request')}.`
  return `${tokens} Output is above the ruler, input below it; then ${hasPrices ? 'the context and the cost as they' : 'the context as it'} grew. The context peaks at ${formatTokens(peak)}.`
}
