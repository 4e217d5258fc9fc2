import type { SessionCalls } from '@gemini-dash/api'
import type { Compression } from 'gemini-sessions'
import { type ChartBar, chartBars } from '../geometry/chart-bars.ts'
import type { ChartCall } from '../geometry/chart-call.ts'
import { roundPx } from '../geometry/round-px.ts'

/** Heights in px: turns stand above the lines, failures hang below their ground. */
export const STRIP = { height: 54, top: 17, ground: 42 } as const

const MIN_STEP_PX = 1.5
/** Enough for a strip of 900 px. */
export const MOST_STEPS = 600
/** A turn's number needs so much room. */
const MIN_TURN_PX = 22
/** From this share of the higher rate's start on, the line reaches for it. */
const NEAR_TIER = 0.4

export interface StripGeometry {
  bars: ChartBar[]
  step: number
  /** One piece between two compressions. */
  contextPaths: string[]
  costPath: string
  costArea: string
  /** Middles of the bars with a failed call. */
  failures: number[]
  turns: { x: number; number: number; isTakenBack: boolean }[]
  compressions: number[]
  /** Stretches that were taken back or replaced. */
  superseded: { x: number; width: number }[]
  tierY: number | null
}

interface Facts {
  calls: readonly ChartCall[]
  models: SessionCalls['models']
  compressions: readonly Compression[]
  width: number
}

/** The whole of a session in 56 px: how the context and the cost grew, and where a call failed. */
export function stripGeometry({ calls, models, compressions, width }: Facts): StripGeometry {
  const bars = chartBars(calls, Math.floor(width / MIN_STEP_PX))
  const step = width / Math.max(bars.length, 1)
  const middle = (index: number) => roundPx((index + 0.5) * step)
  const cuts = compressions.flatMap(({ offset }) => {
    const next = bars.findIndex(({ call }) => call.offset >= offset)
    return next > 0 ? [next] : []
  })
  const tier = lowestTier(models)
  const peak = bars.reduce((most, { call }) => Math.max(most, call.usage?.input ?? 0), 0)
  const isTierNear = tier !== null && peak >= tier * NEAR_TIER
  const top = Math.max(peak, isTierNear ? tier * 1.05 : 0, 1)
  return {
    bars,
    step,
    contextPaths: contextPaths(bars, cuts, middle, top),
    ...costPaths(calls, bars, step),
    failures: bars.flatMap(({ hasFailure }, index) => (hasFailure ? [middle(index)] : [])),
    turns: turnsOf(bars, step),
    compressions: cuts.map((index) => roundPx(index * step)),
    superseded: stretchesOf(bars, step),
    tierY: isTierNear ? toY(tier / top) : null,
  }
}

/** The bar under `x`; null beside them. */
export function barAt({ bars, step }: StripGeometry, x: number): number | null {
  const index = Math.floor(x / step)
  return index >= 0 && index < bars.length ? index : null
}

function lowestTier(models: SessionCalls['models']): number | null {
  const tiers = models.flatMap(({ higherRateAbove }) => higherRateAbove ?? [])
  return tiers.length === 0 ? null : Math.min(...tiers)
}

/** Of a share between 0 and 1. */
function toY(share: number): number {
  return roundPx(STRIP.ground - share * (STRIP.ground - STRIP.top))
}

function contextPaths(
  bars: readonly ChartBar[],
  cuts: readonly number[],
  middle: (index: number) => number,
  top: number,
): string[] {
  const paths: string[] = []
  let path = ''
  for (const [index, { call, isSuperseded }] of bars.entries()) {
    if (cuts.includes(index)) {
      paths.push(path)
      path = ''
    }
    if (isSuperseded || call.usage === null || call.usage.input <= 0) continue
    path += `${path === '' ? 'M' : 'L'}${middle(index)} ${toY(call.usage.input / top)}`
  }
  return [...paths, path].filter((piece) => piece !== '')
}

/** Stairs up to all that the calls cost; nothing where no price is known. */
function costPaths(calls: readonly ChartCall[], bars: readonly ChartBar[], step: number) {
  const total = calls.reduce((sum, { usd }) => sum + (usd ?? 0), 0)
  if (total === 0) return { costPath: '', costArea: '' }
  let usd = 0
  let stairs = ''
  for (const [index, { first, last }] of bars.entries()) {
    for (const call of calls.slice(first - 1, last)) usd += call.usd ?? 0
    stairs += `H${roundPx((index + 0.5) * step)}V${toY(usd / total)}`
  }
  const right = roundPx(bars.length * step)
  const costPath = `M0 ${STRIP.ground}${stairs}H${right}`
  return { costPath, costArea: `${costPath}V${STRIP.ground}Z` }
}

function turnsOf(bars: readonly ChartBar[], step: number): StripGeometry['turns'] {
  const turns: StripGeometry['turns'] = []
  let end = Number.NEGATIVE_INFINITY
  for (const [index, { call, isSuperseded }] of bars.entries()) {
    const x = roundPx(index * step)
    if (call.turn === 0 || call.turn === bars[index - 1]?.call.turn || x < end) continue
    turns.push({ x, number: call.turn, isTakenBack: isSuperseded })
    end = x + MIN_TURN_PX
  }
  return turns
}

function stretchesOf(bars: readonly ChartBar[], step: number): StripGeometry['superseded'] {
  const stretches: { from: number; to: number }[] = []
  for (const [index, { isSuperseded }] of bars.entries()) {
    const last = stretches.at(-1)
    if (!isSuperseded) continue
    if (last?.to === index) last.to = index + 1
    else stretches.push({ from: index, to: index + 1 })
  }
  return stretches.map(({ from, to }) => ({ x: roundPx(from * step), width: roundPx((to - from) * step) }))
}
