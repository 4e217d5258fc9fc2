import './chart-tooltip.css'
import type { SessionCalls } from '@gemini-dash/api'
import type { Compression } from 'gemini-sessions'
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react'
import { nextStep } from '../../lib/browser/next-step.ts'
import { formatClock, formatCount, formatFineUsd, formatPlural } from '../../lib/figures/format.ts'
import { useElementWidth } from '../../lib/hooks/use-element-width.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { useLatest } from '../../lib/hooks/use-latest.ts'
import { SUPERSEDED_MEANING } from '../../lib/session/superseded-word.ts'
import { callSentence, stepName } from './call-sentence.ts'
import { ChartDrawing } from './chart-drawing.tsx'
import { chartSummary } from './chart-summary.ts'
import type { ChartCall } from './geometry/chart-call.ts'
import { chartGeometry, type Step, stepAt } from './geometry/chart-geometry.ts'
import { LAYOUT, type ScaleKind } from './geometry/chart-layout.ts'
import { isContextState } from './geometry/context-band.ts'

const WIDTH = 240
/** Between it and the crosshair, so that the bar and its marks stay in sight. */
const DISTANCE = 20

interface Props {
  calls: readonly ChartCall[]
  models: SessionCalls['models']
  isInputHidden: boolean
  compressions: readonly Compression[]
  scale: ScaleKind
  /** Without them there is no band of cost. */
  hasPrices: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** On a phone the chart keeps a readable width and scrolls. */
const NARROW_WIDTH = 800

/** All bars are one stop of the Tab key; the arrows walk between them. */
const ONE_STOP = { tabIndex: 0 }

/** The drawing with its hand: pointer and arrows walk the bars, a click or Enter leads to the message. */
export default function ChartPlot(props: Props) {
  const { calls, models, compressions, scale, isInputHidden, hasPrices, onJump } = props
  const bottom = hasPrices ? LAYOUT.costBottom : LAYOUT.contextBottom
  const { ref, width } = useElementWidth()
  const isNarrow = useIsNarrow()
  const drawnWidth = isNarrow ? Math.max(width, NARROW_WIDTH) : width
  const geometry = useMemo(
    () => chartGeometry({ calls, models, compressions, width: drawnWidth, scale, isInputHidden }),
    [calls, models, compressions, drawnWidth, scale, isInputHidden],
  )
  const [active, setActive] = useState<number | null>(null)
  const latest = useLatest(active)
  const [isByKeyboard, setIsByKeyboard] = useState(false)
  const group = useRef<HTMLFieldSetElement>(null)
  const activeStep = active === null ? undefined : geometry.steps[active]

  function point(event: MouseEvent<HTMLElement>): number | null {
    const drawing = event.currentTarget.querySelector('svg')
    return drawing === null ? null : stepAt(geometry, event.clientX - drawing.getBoundingClientRect().left)
  }
  function open(index: number | null) {
    const step = index === null ? undefined : geometry.steps[index]
    if (step !== undefined) onJump(step.call.messageKey, step.call.offset)
  }
  function walk(event: KeyboardEvent) {
    const next = nextStep(event.key, latest.current, geometry.steps.length)
    if (event.key === 'Enter' || event.key === ' ') open(latest.current)
    else if (event.key === 'Escape') setActive(null)
    else if (next === null) return
    else {
      setIsByKeyboard(true)
      latest.current = next
      setActive(next)
      keepInSight(group.current, geometry.steps[next]?.x ?? 0)
    }
    event.preventDefault()
  }
  return (
    <div ref={ref} className="chart-frame">
      <fieldset
        ref={group}
        {...ONE_STOP}
        className="chart-scroll sheet scroll-x"
        aria-label={`Tokens per call, ${formatPlural(calls.length, 'call')}. Arrow keys walk, Enter opens the message.`}
        onKeyDown={walk}
        onFocus={() => setActive((current) => current ?? geometry.steps.length - 1)}
        onBlur={() => setActive(null)}
        onPointerMove={(event) => {
          setIsByKeyboard(false)
          setActive(point(event))
        }}
        onPointerLeave={() => setActive(null)}
        onClick={(event) => open(point(event))}
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
      </fieldset>
      {activeStep !== undefined && (
        <ChartTooltip
          step={activeStep}
          x={middleOf(activeStep) - (group.current?.scrollLeft ?? 0)}
          frameWidth={width}
          hasPrices={hasPrices}
        />
      )}
      {geometry.steps.length < calls.length && (
        <p className="chart-gathered">
          {formatPlural(calls.length, 'call')} in {formatCount(geometry.steps.length)} bars: each shows the
          largest of its calls, the cost line counts all.
        </p>
      )}
      <p className="visually-hidden" role="status">
        {isByKeyboard && activeStep !== undefined && callSentence(activeStep)}
      </p>
    </div>
  )
}

/** One line over all bands, with a point on each curve. */
function Crosshair({ step, bottom }: { step: Step; bottom: number }) {
  const x = middleOf(step)
  return (
    <g className="chart-cursor">
      <line x1={x} x2={x} y1="6" y2={bottom} />
      {isContextState(step) && <circle cx={x} cy={step.contextY} r="3" />}
      {step.costY <= bottom && <circle cx={x} cy={step.costY} r="3" />}
    </g>
  )
}

function middleOf({ barX, barWidth }: Step): number {
  return barX + barWidth / 2
}

function keepInSight(scroller: HTMLElement | null, x: number) {
  if (scroller === null || scroller.scrollWidth <= scroller.clientWidth) return
  scroller.scrollLeft = x - scroller.clientWidth / 2
}

interface ChartTooltipProps {
  step: Step
  /** Of the crosshair in the frame. */
  x: number
  frameWidth: number
  hasPrices: boolean
}

/** Exact figures of one call. What it says is also in the table and, for the keyboard, spoken. */
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
          <Line name="thoughts" label="thoughts" tokens={usage.thoughts} />
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
