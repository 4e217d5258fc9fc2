import './minimap.css'
import type { SessionMap } from '@gemini-dash/api'
import type { Compression } from 'gemini-sessions'
import { memo, type PointerEvent, useMemo } from 'react'
import {
  drawMinimap,
  MINIMAP_ROWS,
  type MinimapVoice,
  minimapTicks,
  minimapTops,
  offsetAtRow,
} from './draw-minimap.ts'

interface Props {
  map: SessionMap
  compressions: readonly Compression[]
  /** Places of the messages that the find has hit. */
  hits: readonly number[]
  /** Places of the first and the last message in the window. */
  view: { top: number; bottom: number }
  onScrollTo: (offset: number) => void
}

const VOICES: MinimapVoice[] = ['notice', 'tool', 'thought', 'model', 'user']
/** A frame lower than this could not be seen. */
const LEAST_FRAME = 5

/** The whole session as a strip: a picture beside the outline, which says the same in words. */
export const Minimap = memo(function Minimap({ map, compressions, hits, view, onScrollTo }: Props) {
  const tops = useMemo(() => minimapTops(map.lines), [map])
  const drawing = useMemo(() => drawMinimap(map, tops), [map, tops])
  const seams = useMemo(
    () =>
      minimapTicks(
        compressions.map(({ offset }) => offset),
        tops,
      ),
    [compressions, tops],
  )
  const ticks = useMemo(() => minimapTicks(hits, tops), [hits, tops])
  const top = Math.min(tops[view.top] ?? 0, MINIMAP_ROWS - LEAST_FRAME)
  const height = Math.max((tops[view.bottom + 1] ?? MINIMAP_ROWS) - top, LEAST_FRAME)

  function scroll(event: PointerEvent<SVGSVGElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    const row = ((event.clientY - box.top) / box.height) * MINIMAP_ROWS
    onScrollTo(offsetAtRow(row, tops))
  }
  return (
    <svg
      className="minimap"
      aria-hidden="true"
      viewBox={`0 0 14 ${MINIMAP_ROWS}`}
      preserveAspectRatio="none"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        scroll(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) scroll(event)
      }}
    >
      {VOICES.map((voice) => (
        <path key={voice} className={`minimap-${voice}`} d={drawing.voices[voice]} />
      ))}
      <path className="minimap-superseded" d={drawing.superseded} />
      <path className="minimap-error" d={drawing.errors} />
      <path className="minimap-seam" d={seams} />
      <path className="minimap-hit" d={ticks} />
      <rect
        className="minimap-view"
        x={0}
        y={top}
        width={14}
        height={Math.min(height, MINIMAP_ROWS - top)}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
})
