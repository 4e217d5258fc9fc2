import { scaleLinear, scaleSymlog } from '@visx/scale'
import type { Compression } from 'gemini-sessions'
import { type ChartBar, chartBars } from './chart-bars.ts'
import type { ChartCall } from './chart-call.ts'
import { LAYOUT, MIN_STEP_PX, type ScaleKind } from './chart-layout.ts'

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
  /** y of what was sent: where the context line runs. */
  contextY: number
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
  /** One piece between two compressions. */
  contextPaths: string[]
  costPath: string
  costArea: string
  totalUsd: number | null
  seams: { x: number; compression: Compression }[]
  /** y of the price tier at 200,000 tokens, where the chart reaches it. */
  tierY: number | null
}

const TIER_TOKENS = 200_000

/** Everything that the chart draws, for a measured width. */
export function chartGeometry(
  calls: readonly ChartCall[],
  compressions: readonly Compression[],
  width: number,
  scale: ScaleKind,
): ChartGeometry {
  const plotWidth = Math.max(width - LAYOUT.left - LAYOUT.right, 1)
  const bars = chartBars(calls, Math.floor(plotWidth / MIN_STEP_PX))
  const step = plotWidth / Math.max(bars.length, 1)
  const received = bandScale(scale, maxOf(bars, receivedTokens), LAYOUT.rulerTop, LAYOUT.receivedTop)
  const sent = bandScale(scale, maxOf(bars, sentTokens), LAYOUT.rulerBottom, LAYOUT.sentBottom)
  const steps = bars.map((bar, index) => toStep(bar, index, bars[index - 1], step, received.y, sent.y))
  const seams = compressions.flatMap((compression) => {
    const next = steps.find(({ call }) => call.offset >= compression.offset)
    return next === undefined || next.index === 0 ? [] : [{ x: next.x, compression }]
  })
  const isTierReached = sent.max >= TIER_TOKENS && calls.some((call) => call.model?.includes('pro'))
  return {
    width,
    step,
    steps,
    receivedTicks: received.ticks,
    sentTicks: sent.ticks,
    contextPaths: contextPaths(steps, seams),
    ...costCurve(calls, steps, step),
    seams,
    tierY: isTierReached ? sent.y(TIER_TOKENS) : null,
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
  sent: (tokens: number) => number,
): Step {
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
    contextY: sent(sentTokens(bar)),
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

function contextPaths(steps: readonly Step[], seams: ChartGeometry['seams']): string[] {
  const breaks = new Set(seams.map((seam) => seam.x))
  const paths: string[] = []
  let path = ''
  for (const step of steps) {
    if (breaks.has(step.x)) {
      paths.push(path)
      path = ''
    }
    // what was taken back, and calls without tokens, are no state of the context
    if (step.isSuperseded || step.call.usage === null) continue
    path += `${path === '' ? 'M' : 'L'}${round(step.barX + step.barWidth / 2)} ${round(step.contextY)}`
  }
  return [...paths, path].filter((piece) => piece !== '')
}

function costCurve(calls: readonly ChartCall[], steps: readonly Step[], step: number) {
  const total = calls.reduce((sum, call) => sum + (call.usd ?? 0), 0)
  const hasPrice = calls.some((call) => call.usd !== null)
  if (!hasPrice || total <= 0) return { costPath: '', costArea: '', totalUsd: hasPrice ? total : null }
  const y = scaleLinear({ domain: [0, total], range: [LAYOUT.costBottom, LAYOUT.costTop] })
  let sum = 0
  let path = `M${LAYOUT.left} ${LAYOUT.costBottom}`
  for (const { first, last, x } of steps) {
    for (const call of calls.slice(first - 1, last)) sum += call.usd ?? 0
    path += `H${round(x + step / 2)}V${round(y(sum))}`
  }
  const end = LAYOUT.left + steps.length * step
  path += `H${round(end)}`
  return { costPath: path, costArea: `${path}V${LAYOUT.costBottom}H${LAYOUT.left}Z`, totalUsd: total }
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

function round(value: number): number {
  return Math.round(value * 10) / 10
}
