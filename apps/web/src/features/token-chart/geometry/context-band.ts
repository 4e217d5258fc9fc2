import type { SessionCalls } from '@gemini-dash/api'
import type { ChartGeometry, Step } from './chart-geometry.ts'
import type { ScaleKind } from './chart-layout.ts'
import { roundPx } from './round-px.ts'

/** Of a share of this of a limit on, a linear scale reaches up to it; below, the line would lie on the ground. */
const NEAR_WINDOW = 0.1
const NEAR_TIER = 0.4

/** What the models hold and where their rates rise, and up to where the band reaches for them. */
export function contextLimits(models: SessionCalls['models'], peak: number, scale: ScaleKind) {
  const windows = models.flatMap(({ contextWindow }) => contextWindow ?? [])
  const tiers = models.flatMap(({ higherRateAbove }) => higherRateAbove ?? [])
  const window = windows.length === 0 ? null : Math.max(...windows)
  const tier = tiers.length === 0 ? null : Math.min(...tiers)
  const isLog = scale === 'log'
  let top = peak
  if (tier !== null && (isLog || peak >= tier * NEAR_TIER)) top = Math.max(top, tier * 1.05)
  if (window !== null && (isLog || peak >= window * NEAR_WINDOW)) top = Math.max(top, window)
  return { window, tier, top }
}

/** Not what was taken back, nor a call of which nothing, or only a total, is recorded. */
export function isContextState({ isSuperseded, call: { usage } }: Step): boolean {
  return !isSuperseded && usage !== null && usage.input > 0
}

/** The line in pieces: each compression begins a new one. */
export function contextPaths(steps: readonly Step[], seams: ChartGeometry['seams']): string[] {
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
