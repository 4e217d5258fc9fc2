import type { SessionCalls } from '@gemini-dash/api'
import { scaleLinear } from '@visx/scale'
import type { Compression } from 'gemini-sessions'
import { type ChartBar, type ChartCall, chartBars, LAYOUT, MIN_STEP_PX, roundPx } from './chart-call.ts'

type TokenClass = 'output' | 'thoughts' | 'tooluse' | 'fresh' | 'cached'

interface Block {
  tokenClass: TokenClass
  y: number
  height: number
}

export interface Step extends ChartBar {
  index: number
  /** Left edge of the step, and of its bar. */
  x: number
  barX: number
  barWidth: number
  blocks: Block[]
  /** Heights of the context and cost lines at this step. */
  contextY: number
  costY: number
  /** Total cost up to this step. */
  usdSoFar: number
  /** The first of a run billed at a higher tier. */
  isTierJump: boolean
  /** Number of the turn that starts here. */
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
  /** One path between two compressions. */
  contextPaths: string[]
  costPath: string
  /** Sections with an unknown price. */
  costGaps: string
  costArea: string
  totalUsd: number | null
  /** Requests with an unknown price are not included. */
  hasUnpriced: boolean
  seams: { x: number; compression: Compression }[]
  /** The model's context window and the start of its higher price, if within the scale. */
  contextWindow: number | null
  windowY: number | null
  tier: Tick | null
}

export interface ChartFacts {
  calls: readonly ChartCall[]
  models: SessionCalls['models']
  compressions: readonly Compression[]
  width: number
}

/** The geometry of the chart for a measured width. */
export function chartGeometry(facts: ChartFacts): ChartGeometry {
  const { calls, models, compressions, width } = facts
  const plotWidth = Math.max(width - LAYOUT.left - LAYOUT.right, 1)
  const bars = chartBars(calls, Math.floor(plotWidth / MIN_STEP_PX))
  const step = plotWidth / Math.max(bars.length, 1)
  const received = bandScale(maxOf(bars, receivedTokens), LAYOUT.rulerTop, LAYOUT.receivedTop)
  const sent = bandScale(maxOf(bars, sentTokens), LAYOUT.rulerBottom, LAYOUT.sentBottom)
  const limits = contextLimits(models, maxOf(bars, sentTokens))
  const context = bandScale(limits.top, LAYOUT.contextBottom, LAYOUT.contextTop)
  const cost = costScale(calls)
  let usdSoFar = 0
  const steps = bars.map((bar, index) => {
    for (const { usd } of calls.slice(bar.first - 1, bar.last)) usdSoFar += usd ?? 0
    const placed = toStep(bar, index, bars[index - 1], step, received.y, sent.y)
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
    sentTicks: sent.ticks,
    contextTicks: context.ticks.slice(-1),
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

/** The step under `x`; null outside the plot. */
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
  sent: (tokens: number) => number,
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
  const down = stack(
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

/** Stacks blocks away from the ruler, each at least half a pixel high. */
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

/** Scale for tokens between two edges of a band, and its grid values. */
function bandScale(max: number, near: number, far: number) {
  const scale = scaleLinear({ domain: [0, Math.max(max, 1)], range: [near, far] })
  const ticks = scale
    .ticks(3)
    .filter((value) => value > 0 && value <= max)
    .map((value) => ({ value, y: scale(value) }))
  return { y: (tokens: number) => scale(tokens), ticks, max }
}

/** A limit is included in the scale if the context reaches this share of it; lower, the line would be too flat. */
const NEAR_WINDOW = 0.1
const NEAR_TIER = 0.4

/** Context window and higher tier of the models, and the upper end of the scale. */
function contextLimits(models: SessionCalls['models'], peak: number) {
  const windows = models.flatMap(({ contextWindow }) => contextWindow ?? [])
  const tiers = models.flatMap(({ higherRateAbove }) => higherRateAbove ?? [])
  const window = windows.length === 0 ? null : Math.max(...windows)
  const tier = tiers.length === 0 ? null : Math.min(...tiers)
  let top = peak
  if (tier !== null && peak >= tier * NEAR_TIER) top = Math.max(top, tier * 1.05)
  if (window !== null && peak >= window * NEAR_WINDOW) top = Math.max(top, window)
  return { window, tier, top }
}

/** False for superseded requests and those with unknown tokens. */
export function isContextState({ isSuperseded, call: { usage } }: Step): boolean {
  return !isSuperseded && usage !== null && usage.input > 0
}

/** Paths of the context line; each compression starts a new one. */
function contextPaths(steps: readonly Step[], seams: ChartGeometry['seams']): string[] {
  const breaks = new Set(seams.map((seam) => seam.x))
  const paths: string[] = []
  let path = ''
  for (const step of steps) {
    if (breaks.has(step.x)) {
      paths.push(path)
      path = ''
    }
    if (!isContextState(step)) continue
    path += `${path === '' ? 'M' : 'L'}${roundPx(step.barX + step.barWidth / 2)} ${roundPx(step.contextY)}`
  }
  return [...paths, path].filter((piece) => piece !== '')
}

/** Scale for dollars in the lowest band, up to the total cost. */
function costScale(calls: readonly ChartCall[]) {
  const totalUsd = calls.reduce((sum, { usd }) => sum + (usd ?? 0), 0)
  const hasPrice = calls.some(({ usd }) => usd !== null)
  const domain = [0, totalUsd > 0 ? totalUsd : 1]
  const y = scaleLinear({ domain, range: [LAYOUT.costBottom, LAYOUT.costTop] })
  const hasUnpriced = calls.some(({ usage, usd }) => usage !== null && usd === null)
  return { y: (usd: number) => y(usd), totalUsd: hasPrice ? totalUsd : null, hasUnpriced }
}

/** A step line that rises in the middle of each step. */
function costCurve(calls: readonly ChartCall[], steps: readonly Step[], step: number) {
  if (!calls.some(({ usd }) => usd !== null)) return { costPath: '', costGaps: '', costArea: '' }
  let y: number = LAYOUT.costBottom
  let area = `M${LAYOUT.left} ${y}`
  let costPath = area
  let costGaps = ''
  let isGapBefore = false
  for (const { first, last, x, costY } of steps) {
    const isGap = calls.slice(first - 1, last).some(({ usd }) => usd === null)
    const middle = roundPx(x + step / 2)
    const stair = `H${middle}V${roundPx(costY)}H${roundPx(x + step)}`
    if (isGap) costGaps += `M${roundPx(x)} ${roundPx(y)}${stair}`
    else costPath += `${isGapBefore ? `M${roundPx(x)} ${roundPx(y)}` : ''}${stair}`
    area += stair
    y = costY
    isGapBefore = isGap
  }
  return { costPath, costGaps, costArea: `${area}V${LAYOUT.costBottom}H${LAYOUT.left}Z` }
}
