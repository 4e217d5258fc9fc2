import { SUPERSEDED_MEANING, SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import type { ChartGeometry } from './geometry/chart-geometry.ts'
import { LAYOUT } from './geometry/chart-layout.ts'

/** A digit needs this much room, and a number so much beside its digits, in px. */
const DIGIT_ROOM = 7
const ROOM_BESIDE = 8
/** Where a number begins beside its tick, and how far a cross reaches from its middle. */
const NUMBER_AT = 4
const CROSS_REACH = 4

/** Between the bands: a tick for every call, a long one with its number for every turn, a cross where a tool failed. */
export function ChartRuler({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const { top: rulerTop, bottom: rulerBottom } = geometry.ruler
  const numbered = numberedTurns(geometry)
  const hasRoomForTicks = geometry.step >= 5
  return (
    <>
      <line className="chart-axis" x1={LAYOUT.left} x2={right} y1={rulerTop} y2={rulerTop} />
      <line className="chart-axis" x1={LAYOUT.left} x2={right} y1={rulerBottom} y2={rulerBottom} />
      {geometry.steps.map(({ index, x, turn, barX, barWidth, hasFailure, isSuperseded, call }) => {
        const isTurn = turn !== null && (numbered.has(index) || hasRoomForTicks)
        const middle = barX + barWidth / 2
        return (
          <g key={index}>
            {(isTurn || hasRoomForTicks) && (
              <line
                className="chart-tick"
                x1={x}
                x2={x}
                y1={isTurn ? rulerTop : rulerBottom - 4}
                y2={rulerBottom}
              />
            )}
            {numbered.has(index) && (
              <text className="chart-strong" x={x + NUMBER_AT} y={rulerBottom - 5}>
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

/** Turns whose number has room beside the one before, and does not lie under the cross of a failure. */
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
