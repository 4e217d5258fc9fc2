import { scaleLinear } from '@visx/scale'
import type { ContextCall, ContextXray, Superseded } from 'gemini-sessions'
import { isTakenBack } from '../../lib/session/is-taken-back.ts'
import type { Tone, XraySeries } from './xray-series.ts'

/** In px. */
export const XRAY_LAYOUT = { height: 340, left: 56, right: 10, top: 22, bottom: 312, words: 330 } as const
/** Below this a step can neither be seen nor hit; more calls are drawn together. */
const MIN_STEP_PX = 3
/** Of a few calls each would be a wall. */
const MAX_STEP_PX = 88
/** A turn's number needs this much room. */
const NUMBER_ROOM_PX = 24

/** One step of the drawing: a call, or the largest of several where there are more than the width can hold. */
export interface XrayStep {
  call: ContextCall
  /** 1-based number of that call, and of the calls that the step stands for. */
  number: number
  first: number
  last: number
  x: number
}

export interface XrayGeometry {
  width: number
  /** Of a step, in px. */
  step: number
  steps: XrayStep[]
  ticks: { value: number; y: number }[]
  /** From the top down: each covers what stands below its upper edge, and is covered by the next. */
  areas: { tone: Tone; path: string }[]
  inputPath: string
  /** Stretches that were taken back. */
  veils: { x: number; width: number; cause: Superseded }[]
  /** Compressions: what was sent before and after. */
  seams: { x: number; inputBefore: number; inputAfter: number }[]
  turns: { x: number; number: number }[]
  y: (tokens: number) => number
}

/** Everything that the drawing shows, for a measured width. */
export function xrayGeometry(xray: ContextXray, series: readonly XraySeries[], width: number): XrayGeometry {
  const { calls, compressions } = xray
  const plotWidth = Math.max(width - XRAY_LAYOUT.left - XRAY_LAYOUT.right, 1)
  const groups = groupCalls(calls, Math.max(Math.floor(plotWidth / MIN_STEP_PX), 1))
  const step = Math.min(plotWidth / Math.max(groups.length, 1), MAX_STEP_PX)
  const steps = groups.map((group, index) => ({ ...group, x: XRAY_LAYOUT.left + index * step }))
  const peak = steps.reduce((max, { call }) => Math.max(max, call.input), 1)
  const scale = scaleLinear({ domain: [0, peak], range: [XRAY_LAYOUT.bottom, XRAY_LAYOUT.top] })
  return {
    width,
    step,
    steps,
    ticks: scale.ticks(4).map((value) => ({ value, y: scale(value) })),
    areas: areasOf(steps, series, step, scale),
    inputPath: stairs(
      steps,
      step,
      steps.map(({ call }) => scale(call.input)),
    ),
    veils: veilsOf(steps, step),
    seams: seamsOf(steps, calls, compressions),
    turns: turnsOf(steps),
    y: (tokens) => scale(tokens),
  }
}

/** The step under `x`, null beside the plot. */
export function xrayStepAt({ step, steps }: XrayGeometry, x: number): number | null {
  const index = Math.floor((x - XRAY_LAYOUT.left) / step)
  return index >= 0 && index < steps.length ? index : null
}

function groupCalls(calls: readonly ContextCall[], maxSteps: number): Omit<XrayStep, 'x'>[] {
  const size = Math.max(1, Math.ceil(calls.length / maxSteps))
  const groups: Omit<XrayStep, 'x'>[] = []
  for (let start = 0; start < calls.length; start += size) {
    const end = Math.min(start + size, calls.length)
    let largest = start
    for (let index = start; index < end; index++)
      if ((calls[index]?.input ?? 0) > (calls[largest]?.input ?? 0)) largest = index
    const call = calls[largest]
    if (call !== undefined) groups.push({ call, number: largest + 1, first: start + 1, last: end })
  }
  return groups
}

function areasOf(
  steps: readonly XrayStep[],
  series: readonly XraySeries[],
  step: number,
  toY: (tokens: number) => number,
): XrayGeometry['areas'] {
  const levels = steps.map(() => 0)
  const areas = series.map(({ tone, blocks }) => {
    for (const [index, { call }] of steps.entries())
      for (const block of blocks) levels[index] = (levels[index] ?? 0) + (call.tokens[block] ?? 0)
    return {
      tone,
      path: `${stairs(steps, step, levels.map(toY))}V${XRAY_LAYOUT.bottom}H${XRAY_LAYOUT.left}Z`,
    }
  })
  return areas.reverse()
}

/** A line that stays at the height of each step for its whole width. */
function stairs(steps: readonly XrayStep[], step: number, heights: readonly number[]): string {
  let path = ''
  let before: number | null = null
  for (const [index, { x }] of steps.entries()) {
    const y = round(heights[index] ?? XRAY_LAYOUT.bottom)
    if (before === null) path = `M${XRAY_LAYOUT.left} ${y}`
    else if (y !== before) path += `V${y}`
    path += `H${round(x + step)}`
    before = y
  }
  return path
}

function veilsOf(steps: readonly XrayStep[], step: number): XrayGeometry['veils'] {
  const veils: XrayGeometry['veils'] = []
  let last: XrayGeometry['veils'][number] | undefined
  for (const { call, x } of steps) {
    if (call.superseded === null || !isTakenBack(call.superseded)) last = undefined
    else if (last?.cause === call.superseded) last.width += step
    else {
      last = { x, width: step, cause: call.superseded }
      veils.push(last)
    }
  }
  return veils
}

function seamsOf(
  steps: readonly XrayStep[],
  calls: readonly ContextCall[],
  compressions: readonly number[],
): XrayGeometry['seams'] {
  return compressions.flatMap((offset) => {
    const at = calls.findIndex((call) => call.offset >= offset)
    const before = calls.slice(0, Math.max(at, 0)).findLast(({ superseded }) => !isTakenBack(superseded))
    const step = steps.find(({ last }) => last > at)
    const after = calls[at]
    if (before === undefined || after === undefined || step === undefined) return []
    return [{ x: step.x, inputBefore: before.input, inputAfter: after.input }]
  })
}

/** Where a turn begins and its number has room. */
function turnsOf(steps: readonly XrayStep[]): XrayGeometry['turns'] {
  const turns: XrayGeometry['turns'] = []
  let turn = 0
  let nextFreeX = 0
  for (const { call, x } of steps) {
    if (call.turn !== turn && x >= nextFreeX) {
      turns.push({ x, number: call.turn })
      nextFreeX = x + NUMBER_ROOM_PX
    }
    turn = call.turn
  }
  return turns
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
