import type { SessionCalls } from '@gemini-dash/api'
import { scaleLinear, scaleSymlog } from '@visx/scale'
import type { Compression } from 'gemini-sessions'
import { type ChartBar, chartBars } from './chart-bars.ts'
import type { ChartCall } from './chart-call.ts'
import { LAYOUT, MIN_STEP_PX, rulerAt, type ScaleKind } from './chart-layout.ts'
import { contextLimits, contextPaths } from './context-band.ts'
import { costCurve, costScale } from './cost-curve.ts'

export type TokenClass = 'output' | 'thoughts' | 'tooluse' | 'fresh' | 'cached'

export interface Block {
  tokenClass: TokenClass
  y: number
  height: number
}

export interface Step extends ChartBar {
  index: number
  /** Left edge of the step, and of the bar in it. */
  x: number
  barX: number
  barWidth: number
  blocks: Block[]
  /** Where the context line and the cost line run at this step. */
  contextY: number
  costY: number
  /** What all calls up to this step cost together. */
  usdSoFar: number
  /** The first of its run that was billed at a higher tier. */
  isTierJump: boolean
  /** A turn begins here; its number. */
  turn: number | null
}

export interface Tick {
  y: number
  value: number
}

export interface ChartGeometry {
  width: number
  step: number
  steps: Step[]
  receivedTicks: Tick[]
  sentTicks: Tick[]
  contextTicks: Tick[]
  ruler: { top: number; bottom: number }
  /** One piece between two compressions. */
  contextPaths: string[]
  costPath: string
  /** The stretches of the line in which a price is unknown. */
  costGaps: string
  costArea: string
  totalUsd: number | null
  /** Calls of unknown price come on top of it. */
  hasUnpriced: boolean
  seams: { x: number; compression: Compression }[]
  /** The model's window and the start of its higher price, where the scale reaches them. */
  contextWindow: number | null
  windowY: number | null
  tier: Tick | null
}

export interface ChartFacts {
  calls: readonly ChartCall[]
  models: SessionCalls['models']
  compressions: readonly Compression[]
  width: number
  scale: ScaleKind
  isInputHidden: boolean
}

/** Everything that the chart draws, for a measured width. */
export function chartGeometry(facts: ChartFacts): ChartGeometry {
  const { calls, models, compressions, width, scale, isInputHidden } = facts
  const ruler = rulerAt(isInputHidden)
  const plotWidth = Math.max(width - LAYOUT.left - LAYOUT.right, 1)
  const bars = chartBars(calls, Math.floor(plotWidth / MIN_STEP_PX))
  const step = plotWidth / Math.max(bars.length, 1)
  const received = bandScale(scale, maxOf(bars, receivedTokens), ruler.top, LAYOUT.receivedTop)
  const sent = bandScale(scale, maxOf(bars, sentTokens), LAYOUT.rulerBottom, LAYOUT.sentBottom)
  const limits = contextLimits(models, maxOf(bars, sentTokens), scale)
  const context = bandScale(scale, limits.top, LAYOUT.contextBottom, LAYOUT.contextTop)
  const cost = costScale(calls)
  let usdSoFar = 0
  const steps = bars.map((bar, index) => {
    for (const { usd } of calls.slice(bar.first - 1, bar.last)) usdSoFar += usd ?? 0
    const placed = toStep(bar, index, bars[index - 1], step, received.y, isInputHidden ? null : sent.y)
    return { ...placed, usdSoFar, contextY: context.y(sentTokens(bar)), costY: cost.y(usdSoFar) }
  })
  const seams = compressions.flatMap((compression) => {
    const next = steps.find(({ call }) => call.offset >= compression.offset)
    return next === undefined || next.index === 0 ? [] : [{ x: next.x, compression }]
  })
  return {
    width,
    step,
    steps,
    receivedTicks: received.ticks,
    sentTicks: isInputHidden ? [] : sent.ticks,
    contextTicks: context.ticks.slice(-1),
    ruler,
    contextPaths: contextPaths(steps, seams),
    ...costCurve(calls, steps, step),
    totalUsd: cost.totalUsd,
    hasUnpriced: cost.hasUnpriced,
    seams,
    contextWindow: limits.window,
    windowY: limits.window !== null && limits.window <= limits.top ? context.y(limits.window) : null,
    tier:
      limits.tier !== null && limits.tier <= limits.top
        ? { value: limits.tier, y: context.y(limits.tier) }
        : null,
  }
}

/** The step under `x`, null beside the plot. */
export function stepAt(geometry: ChartGeometry, x: number): number | null {
  const index = Math.floor((x - LAYOUT.left) / geometry.step)
  return index >= 0 && index < geometry.steps.length ? index : null
}

function toStep(
  bar: ChartBar,
  index: number,
  previous: ChartBar | undefined,
  step: number,
  received: (tokens: number) => number,
  sent: ((tokens: number) => number) | null,
): Omit<Step, 'contextY' | 'costY' | 'usdSoFar'> {
  const { usage } = bar.call
  const x = LAYOUT.left + index * step
  const barWidth = Math.max(Math.min(step - 1, 24), Math.min(step * 0.62, 24), 1.5)
  const fresh = Math.max((usage?.input ?? 0) - (usage?.cached ?? 0), 0)
  const up = stack(
    [
      ['output', usage?.output ?? 0],
      ['thoughts', usage?.thoughts ?? 0],
      ['tooluse', usage?.tool ?? 0],
    ],
    received,
  )
  const down =
    sent === null
      ? []
      : stack(
          [
            ['fresh', fresh],
            ['cached', (usage?.input ?? 0) - fresh],
          ],
          sent,
        )
  return {
    ...bar,
    index,
    x,
    barX: x + (step - barWidth) / 2,
    barWidth,
    blocks: [...up, ...down],
    isTierJump: bar.isAtHigherRate && previous?.isAtHigherRate !== true,
    turn: bar.call.turn > 0 && bar.call.turn !== previous?.call.turn ? bar.call.turn : null,
  }
}

/** Blocks on top of each other, away from the ruler; what is there is at least half a pixel. */
function stack(sizes: [TokenClass, number][], toY: (tokens: number) => number): Block[] {
  const blocks: Block[] = []
  let sum = 0
  for (const [tokenClass, tokens] of sizes) {
    if (tokens <= 0) continue
    const from = toY(sum)
    sum += tokens
    const to = toY(sum)
    blocks.push({ tokenClass, y: Math.min(from, to), height: Math.max(Math.abs(to - from), 0.75) })
  }
  return blocks
}

function receivedTokens({ call: { usage } }: ChartBar): number {
  return (usage?.output ?? 0) + (usage?.thoughts ?? 0) + (usage?.tool ?? 0)
}

function sentTokens({ call: { usage } }: ChartBar): number {
  return Math.max(usage?.input ?? 0, 0)
}

function maxOf(bars: readonly ChartBar[], size: (bar: ChartBar) => number): number {
  return bars.reduce((max, bar) => Math.max(max, size(bar)), 0)
}

/** Tokens as heights between two edges of a band, and the values that its grid names. */
function bandScale(kind: ScaleKind, max: number, near: number, far: number) {
  const domain = [0, Math.max(max, 1)]
  const range = [near, far]
  const scale =
    kind === 'linear' ? scaleLinear({ domain, range }) : scaleSymlog({ domain, range, constant: 10 })
  const linear = scaleLinear({ domain, range })
  const values = kind === 'linear' ? linear.ticks(3) : powersOfTen(max)
  const ticks = values
    .filter((value) => value > 0 && value <= max)
    .map((value) => ({ value, y: scale(value) }))
  return { y: (tokens: number) => scale(tokens), ticks, max }
}

function powersOfTen(max: number): number[] {
  const values: number[] = []
  for (let value = 100; value <= max; value *= 10) values.push(value)
  return values.slice(-3)
}
