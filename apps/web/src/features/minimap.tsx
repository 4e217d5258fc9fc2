import './minimap.css'
import type { SessionMap } from '@gemini-dash/api'
import type { Compression } from 'gemini-sessions'
import { memo, type PointerEvent, useMemo } from 'react'

interface Props {
  map: SessionMap
  compressions: readonly Compression[]
  /** Offsets of messages with search hits. */
  hits: readonly number[]
  /** Offsets of the first and last visible message. */
  view: { top: number; bottom: number }
  onScrollTo: (offset: number) => void
}

const VOICES: MinimapVoice[] = ['notice', 'tool', 'thought', 'model', 'user']
/** A lower frame would be invisible. */
const LEAST_FRAME = 5

/** Minimap of the whole session. Decorative: the outline beside it says the same in words. */
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

/** Height of the strip in rows, for sessions of any length. */
export const MINIMAP_ROWS = 480

type MinimapVoice = 'user' | 'model' | 'thought' | 'tool' | 'notice'

interface MinimapDrawing {
  /** SVG paths of one-row bars, by speaker. */
  voices: Record<MinimapVoice, string>
  errors: string
  superseded: string
}

const VOICE_OF: Record<string, MinimapVoice> = {
  p: 'user',
  a: 'model',
  t: 'thought',
  c: 'tool',
  i: 'notice',
  n: 'notice',
}
const STRIP_WIDTH = 14
/** Widths also encode the speaker, for readers who cannot tell the colors apart. */
const WIDTHS: Record<MinimapVoice, number> = { user: 14, model: 11, thought: 9, tool: 7, notice: 5 }
/** Left to right, where a row contains several. */
const ORDER: readonly MinimapVoice[] = ['user', 'model', 'thought', 'tool', 'notice']

/** Position of each message on the strip, in rows; an additional one for the end. */
export function minimapTops(lines: readonly number[]): number[] {
  const tops = [0]
  // folded messages keep some height, so that their marks can be hit
  for (const each of lines) tops.push((tops.at(-1) ?? 0) + Math.max(each, 0.25))
  const scale = MINIMAP_ROWS / Math.max(tops.at(-1) ?? 0, 1)
  return tops.map((top) => top * scale)
}

/** Bits of a message's flags. */
const FAILED = 1
const SUPERSEDED = 2

/** The content of each row: a bar per speaker in proportion to its share, and whether anything in it failed or was superseded. */
export function drawMinimap(map: SessionMap, tops: readonly number[]): MinimapDrawing {
  const room = Array.from({ length: MINIMAP_ROWS }, (): Partial<Record<MinimapVoice, number>> => ({}))
  const failed = new Set<number>()
  const gone = new Set<number>()
  for (let index = 0; index < map.voices.length; index += 1) {
    const from = tops[index] ?? 0
    const to = tops[index + 1] ?? from
    const mark = Number(map.marks[index])
    if ((mark & FAILED) > 0) failed.add(Math.min(Math.floor(from), MINIMAP_ROWS - 1))
    const voice = VOICE_OF[map.voices[index] ?? '']
    for (let row = Math.floor(from); row < Math.min(Math.ceil(to), MINIMAP_ROWS); row += 1) {
      if ((mark & SUPERSEDED) > 0) gone.add(row)
      const cell = room[row]
      const share = Math.min(to, row + 1) - Math.max(from, row)
      if (voice !== undefined && cell !== undefined) cell[voice] = (cell[voice] ?? 0) + share
    }
  }
  const voices: Record<MinimapVoice, string> = { user: '', model: '', thought: '', tool: '', notice: '' }
  for (const [row, cell] of room.entries()) {
    const sum = ORDER.reduce((total, voice) => total + (cell[voice] ?? 0), 0)
    let left = 0
    for (const voice of ORDER) {
      const share = (cell[voice] ?? 0) / (sum || 1)
      if (share === 0) continue
      const width = share * WIDTHS[voice]
      voices[voice] += bar(row, width, left)
      left += width
    }
  }
  return { voices, errors: bars(failed), superseded: bars(gone) }
}

/** Full-width bars at the positions of these messages. */
export function minimapTicks(offsets: readonly number[], tops: readonly number[]): string {
  return bars(new Set(offsets.map((offset) => Math.min(Math.floor(tops[offset] ?? 0), MINIMAP_ROWS - 1))))
}

/** The message at a row of the strip. */
export function offsetAtRow(row: number, tops: readonly number[]): number {
  let low = 0
  let high = Math.max(tops.length - 2, 0)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= row) low = middle
    else high = middle - 1
  }
  return low
}

function bars(rows: ReadonlySet<number>): string {
  return [...rows].map((row) => bar(row, STRIP_WIDTH, 0)).join('')
}

function bar(row: number, width: number, left: number): string {
  const length = Math.round(width * 100) / 100
  return `M${Math.round(left * 100) / 100} ${row}h${length}v1h-${length}z`
}
