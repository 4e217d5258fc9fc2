import './token-chart.css'
import type { SessionCalls } from '@gemini-dash/api'
import { CHART_STEPS } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import type { Compression } from 'gemini-sessions'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { isUnanswered } from '../../api/request.ts'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { classNames } from '../../lib/browser.ts'
import { formatCount, formatTokens } from '../../lib/figures.ts'
import { useElementWidth, useLatest } from '../../lib/hooks.ts'
import { FailedLine } from '../../ui/states.tsx'
import { type ChartBar, type ChartCall, chartBars, roundPx, toChartCalls } from './chart-call.ts'

interface Props {
  sessionRef: string
  compressions: readonly Compression[]
  /** Not all requests are known yet: space is reserved. */
  isPartial: boolean
  /** Offsets of the first and last visible message, and of the one being read. */
  place: { top: number; bottom: number; here: number }
  /** Outcome of all failed tool calls if the same for all: determines their color. */
  fate: 'stillFailing' | 'neverRerun' | 'laterSucceeded'
  /** On click: goes to the message of a request. */
  onJump: (messageKey: string, offset: number) => void
  /** On dragging and by keys: like a scrollbar. */
  onScrollTo: (offset: number) => void
  onUnfold: () => void
}

type Steps = SessionCalls['steps']

const NO_MODELS: never[] = []

/** A click jumps after this time: at once, the page would scroll away under the second click of a double click. */
const DOUBLE_CLICK_MS = 250

/** Tokens of each request in one row. Its frame marks the visible part and can be dragged; Enter or a double click opens the chart. */
export function SessionStrip(props: Props) {
  const { sessionRef, compressions, isPartial, place, fate, onJump, onScrollTo, onUnfold } = props
  const asked = sessionAnswerQuery('calls', sessionRef, { steps: CHART_STEPS })
  const answer = useQuery({ ...asked, enabled: !isPartial })
  const { data: columns } = answer
  const calls = useMemo(() => (columns === undefined ? [] : toChartCalls(columns)), [columns])
  const models = columns?.models ?? NO_MODELS
  const { ref, width } = useElementWidth()
  const geometry = useMemo(
    () => stripGeometry({ calls, models, compressions, width }),
    [calls, models, compressions, width],
  )
  const { bars, step } = geometry
  const [pointed, setPointed] = useState<number | null>(null)
  const drag = useRef<{ from: number; hasMoved: boolean } | null>(null)
  const jump = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(jump.current), [])
  const { latest, current, go } = useWalk(bars, place, onScrollTo)

  const indexAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) =>
    barAt(geometry, clientX - currentTarget.getBoundingClientRect().left)
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const index = indexAt(event)
    setPointed(index)
    if (drag.current === null || (index === drag.current.from && !drag.current.hasMoved)) return
    drag.current.hasMoved = true
    go(index)
  }
  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const call = bars[indexAt(event)]?.call
    if (drag.current?.hasMoved === false && call !== undefined)
      jump.current = window.setTimeout(() => onJump(call.messageKey, call.offset), DOUBLE_CLICK_MS)
    drag.current = null
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = nextBar(event.key, latest.current, geometry)
    if (next !== null) go(next)
    else if (event.key === 'Enter' || event.key === ' ') onUnfold()
    else return
    event.preventDefault()
  }
  if (isUnanswered(answer)) return <FailedLine what="The requests couldn’t be loaded." asked={answer} />
  const from = barOf(bars, place.top) * step
  const to = (barOf(bars, place.bottom) + 1) * step
  return (
    <div className="session-strip">
      <div
        className={classNames('strip-plot', fate)}
        role="slider"
        tabIndex={0}
        title="Double-click for the chart"
        aria-label="Tokens by request. Arrow keys move, Enter unfolds the chart."
        aria-valuemin={1}
        aria-valuemax={Math.max(columns?.steps?.calls ?? 1, 1)}
        aria-valuenow={firstOf(bars[current], columns?.steps)}
        aria-valuetext={
          bars[current] === undefined ? '' : requestWords(bars[current], columns?.steps).join(', ')
        }
        ref={ref}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0 || bars.length === 0) return
          window.clearTimeout(jump.current)
          event.currentTarget.setPointerCapture(event.pointerId)
          drag.current = { from: indexAt(event), hasMoved: false }
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null
        }}
        onPointerLeave={() => setPointed(null)}
        onDoubleClick={onUnfold}
      >
        {width > 0 && calls.length > 0 && (
          <>
            <StripDrawing geometry={geometry} width={width} />
            <svg className="strip-frame" width={width} height={STRIP.height} aria-hidden="true">
              <rect x={from} y="0" width={Math.max(to - from, 3)} height={STRIP.height} />
            </svg>
          </>
        )}
      </div>
      <p className="strip-end label" aria-hidden="true">
        {pointed !== null && bars[pointed] !== undefined ? (
          requestWords(bars[pointed], columns?.steps).map((line) => <span key={line}>{line}</span>)
        ) : (
          <ContextNow steps={columns?.steps} />
        )}
      </p>
    </div>
  )
}

/** The current bar, and keyboard steps to another one that the page scrolls to later. */
function useWalk(bars: StripGeometry['bars'], place: Props['place'], onScrollTo: Props['onScrollTo']) {
  const [walked, setWalked] = useState<{ to: number; hasArrived: boolean } | null>(null)
  const isThere = walked !== null && isInSight(bars[walked.to]?.call.offset ?? Number.NaN, place)
  if (walked !== null && isThere && !walked.hasArrived) setWalked({ to: walked.to, hasArrived: true })
  // while scrolling, the page passes other messages; near the end, the target may never be the first visible one
  const isWalked = walked !== null && (isThere || !walked.hasArrived)
  const isOnTheWay = walked !== null && !walked.hasArrived
  useEffect(() => {
    if (!isOnTheWay) return
    const end = () => setWalked(null)
    const byHand = ['wheel', 'touchmove'] as const
    for (const kind of byHand) window.addEventListener(kind, end, { passive: true })
    return () => {
      for (const kind of byHand) window.removeEventListener(kind, end)
    }
  }, [isOnTheWay])
  const current = isWalked ? walked.to : barOf(bars, place.here)
  const latest = useLatest(current)
  function go(index: number) {
    const to = Math.min(Math.max(index, 0), bars.length - 1)
    const call = bars[to]?.call
    if (call === undefined) return
    latest.current = to
    setWalked({ to, hasArrived: false })
    onScrollTo(call.offset)
  }
  return { latest, current, go }
}

const StripDrawing = memo(function StripDrawing({
  geometry,
  width,
}: {
  geometry: StripGeometry
  width: number
}) {
  const { stacks, superseded, tierY, turns, compressions, failures } = geometry
  return (
    <svg width={width} height={STRIP.height} aria-hidden="true">
      {STRIP_CLASSES.map((name) => (
        <path key={name} className={`strip-stack fill-${name}`} d={stacks[name]} />
      ))}
      <path className="strip-superseded" d={superseded} />
      {tierY !== null && <path className="strip-tier" d={`M0 ${tierY}H${width}`} />}
      {geometry.contextPaths.map((path) => (
        <path key={path} className="strip-context" d={path} />
      ))}
      <path className="strip-ground" d={`M0 ${STRIP.ground}H${width}`} />
      {compressions.map((x) => (
        <path key={x} className="strip-cut" d={`M${x} ${STRIP.top}V${STRIP.ground}`} />
      ))}
      {turns
        .filter(({ hasRoom }) => hasRoom)
        .map(({ x, number, isTakenBack }) => (
          <g key={number} className={classNames('strip-number', isTakenBack && 'taken-back')}>
            <path d={`M${x + 0.5} 2V${STRIP.ground}`} />
            <text x={x + 4} y="12">
              {number}
            </text>
          </g>
        ))}
      {failures.map((x) => (
        <rect key={x} className="strip-failure" x={x - 1.5} y={STRIP.ground + 1} width="3" height="8" />
      ))}
    </svg>
  )
})

function ContextNow({ steps }: { steps: Steps }) {
  const contextNow = steps?.contextNow ?? null
  return contextNow !== null && <span>Context {formatTokens(contextNow)}</span>
}

function isInSight(offset: number, { top, bottom }: Props['place']): boolean {
  return offset >= top && offset <= bottom
}

function nextBar(key: string, current: number, { bars }: StripGeometry): number | null {
  const turn = bars[current]?.call.turn
  if (key === 'ArrowRight' || key === 'ArrowUp') return current + 1
  if (key === 'ArrowLeft' || key === 'ArrowDown') return current - 1
  if (key === 'PageDown') return found(bars.findIndex(({ call }) => turn !== undefined && call.turn > turn))
  if (key === 'PageUp') return found(bars.findLastIndex(({ call }) => turn !== undefined && call.turn < turn))
  if (key === 'Home') return 0
  return key === 'End' ? bars.length - 1 : null
}

function found(index: number): number | null {
  return index === -1 ? null : index
}

/** 1-based number of the first request in a bar. */
function firstOf(bar: { first: number } | undefined, steps: Steps): number {
  return ((bar?.first ?? 1) - 1) * (steps?.size ?? 1) + 1
}

interface Bar {
  call: ChartCall
  first: number
  last: number
  hasFailure: boolean
}

/** Two lines: the request number, and its tokens; for several requests, of the largest. */
function requestWords(bar: Bar, steps: Steps): [string, string] {
  const { call, hasFailure } = bar
  const first = firstOf(bar, steps)
  const last = Math.min(bar.last * (steps?.size ?? 1), steps?.calls ?? bar.last)
  const name =
    first === last
      ? `Request ${formatCount(first)}`
      : `Requests ${formatCount(first)} to ${formatCount(last)}`
  const turn = call.turn > 0 ? `, turn ${call.turn}` : ''
  const { usage } = call
  const tokens =
    usage === null
      ? 'not recorded'
      : `${formatTokens(usage.input)} in, ${formatTokens(usage.output + usage.thoughts)} out`
  return [`${name}${turn}`, `${tokens}${hasFailure ? ', failed' : ''}`]
}

/** Heights in px: turn numbers above the bars, failures below the baseline. */
export const STRIP = { height: 46, top: 15, ground: 37 } as const

const MIN_STEP_PX = 1.5
/** From this width on, bars have a gap of one pixel. */
const GAP_FROM_PX = 4
/** Minimum distance of turn numbers if not all fit; smaller on a phone. */
const MIN_NUMBER_PX = 200
const NARROW_NUMBER_PX = 48
const NARROW_PX = 400
/** Width of a number. */
const NUMBER_PX = 28
/** The higher rate is included in the scale if the context reaches this share of it. */
const NEAR_TIER = 0.4

/** Bottom to top. */
const STRIP_CLASSES = ['cached', 'fresh', 'output', 'thoughts', 'tooluse'] as const
type StripClass = (typeof STRIP_CLASSES)[number]

interface StripGeometry {
  bars: ChartBar[]
  step: number
  /** SVG paths: the stacked bars of each class. */
  stacks: Record<StripClass, string>
  /** Overlay on the bars of superseded requests. */
  superseded: string
  /** One path between two compressions. */
  contextPaths: string[]
  /** Centers of the bars with a failed tool call. */
  failures: number[]
  /** Turn starts; those without room have no number. */
  turns: { x: number; number: number; hasRoom: boolean; isTakenBack: boolean }[]
  compressions: number[]
  tierY: number | null
}

interface Facts {
  calls: readonly ChartCall[]
  models: SessionCalls['models']
  compressions: readonly Compression[]
  width: number
}

/** Tokens of each request as stacked bars, grouped by turn, with the context as a line. */
export function stripGeometry({ calls, models, compressions, width }: Facts): StripGeometry {
  const bars = chartBars(calls, Math.floor(width / MIN_STEP_PX))
  const step = width / Math.max(bars.length, 1)
  const cuts = compressions.flatMap(({ offset }) => {
    const next = bars.findIndex(({ call }) => call.offset >= offset)
    return next > 0 ? [next] : []
  })
  const tier = lowestTier(models)
  const peak = bars.reduce((most, { call }) => Math.max(most, totalOf(call)), 0)
  const isTierNear = tier !== null && peak >= tier * NEAR_TIER
  const top = Math.max(peak, isTierNear ? tier * 1.05 : 0, 1)
  const toY = (tokens: number) => roundPx(STRIP.ground - (tokens / top) * (STRIP.ground - STRIP.top))
  const middle = (index: number) => roundPx((index + 0.5) * step)
  return {
    bars,
    step,
    ...stackBars(bars, step, toY),
    contextPaths: contextPaths(bars, cuts, middle, toY),
    failures: bars.flatMap(({ hasFailure }, index) => (hasFailure ? [middle(index)] : [])),
    turns: turnsOf(bars, step),
    compressions: cuts.map((index) => roundPx(index * step)),
    tierY: isTierNear ? toY(tier) : null,
  }
}

/** The bar under `x`, clamped to the first and last. */
export function barAt({ bars, step }: Pick<StripGeometry, 'bars' | 'step'>, x: number): number {
  return Math.min(Math.max(Math.floor(x / step), 0), bars.length - 1)
}

/** The bar of the request being read at this offset: the last one up to it. */
export function barOf(bars: readonly ChartBar[], offset: number): number {
  let low = 0
  let high = bars.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars[middle]?.call.offset ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(low - 1, 0)
}

function lowestTier(models: SessionCalls['models']): number | null {
  const tiers = models.flatMap(({ higherRateAbove }) => higherRateAbove ?? [])
  return tiers.length === 0 ? null : Math.min(...tiers)
}

function tokensOf({ usage }: ChartCall): Record<StripClass, number> {
  const { input = 0, cached = 0, output = 0, thoughts = 0, tool = 0 } = usage ?? {}
  return { cached, fresh: Math.max(input - cached, 0), output, thoughts, tooluse: tool }
}

function totalOf(call: ChartCall): number {
  return Object.values(tokensOf(call)).reduce((sum, tokens) => sum + tokens, 0)
}

function stackBars(bars: readonly ChartBar[], step: number, toY: (tokens: number) => number) {
  const stacks: Record<StripClass, string> = { cached: '', fresh: '', output: '', thoughts: '', tooluse: '' }
  let superseded = ''
  const width = roundPx(step >= GAP_FROM_PX ? step - 1 : step)
  for (const [index, { call, isSuperseded }] of bars.entries()) {
    const tokens = tokensOf(call)
    const x = roundPx(index * step)
    let sum = 0
    for (const name of STRIP_CLASSES) {
      if (tokens[name] <= 0) continue
      const from = toY(sum)
      sum += tokens[name]
      stacks[name] += `M${x} ${from}V${toY(sum)}h${width}V${from}z`
    }
    if (isSuperseded) superseded += `M${x} ${STRIP.ground}V${toY(sum)}h${width}V${STRIP.ground}z`
  }
  return { stacks, superseded }
}

function contextPaths(
  bars: readonly ChartBar[],
  cuts: readonly number[],
  middle: (index: number) => number,
  toY: (tokens: number) => number,
): string[] {
  const paths: string[] = []
  let path = ''
  for (const [index, { call, isSuperseded }] of bars.entries()) {
    if (cuts.includes(index)) {
      paths.push(path)
      path = ''
    }
    if (isSuperseded || call.usage === null || call.usage.input <= 0) continue
    path += `${path === '' ? 'M' : 'L'}${middle(index)} ${toY(call.usage.input)}`
  }
  return [...paths, path].filter((piece) => piece !== '')
}

function turnsOf(bars: readonly ChartBar[], step: number): StripGeometry['turns'] {
  const begun = bars.flatMap(({ call: { turn }, isSuperseded }, index) =>
    turn === 0 || turn === bars[index - 1]?.call.turn
      ? []
      : [{ turn, isSuperseded, x: roundPx(index * step) }],
  )
  const width = Math.max(bars.length * step, 1)
  const apart = width < NARROW_PX ? NARROW_NUMBER_PX : MIN_NUMBER_PX
  const every = roundStep((apart * begun.length) / width)
  let end = Number.NEGATIVE_INFINITY
  return begun.map(({ turn, isSuperseded, x }, index) => {
    const hasRoom = x >= end && (index === 0 || turn % every === 0)
    if (hasRoom) end = x + NUMBER_PX
    return { x, number: turn, hasRoom, isTakenBack: isSuperseded }
  })
}

/** The next of 1, 2, 5, 10, 20, 50, … from `least` on. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least) ?? power
}
