import type { Timeline } from 'gemini-sessions'
import { classNames } from '../../lib/browser/class-names.ts'
import type { TimeAxis } from './time-axis.ts'

/** So many units wide is the drawing, whatever its width on the screen. */
const UNITS = 1_000
const HEIGHT = 24

/** Turns as bands, in them who was waited for: the model above, tools below, you as a line between. */
export function StripDrawing({ timeline, axis }: { timeline: Timeline; axis: TimeAxis }) {
  const place = (ms: number) => axis.toShare(ms) * UNITS
  return (
    <svg viewBox={`0 0 ${UNITS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {timeline.turns.map(({ number, startMs, endMs, superseded }) => (
        <rect
          key={number}
          className={classNames('strip-band', superseded !== null && 'superseded')}
          x={place(startMs)}
          width={Math.max(place(endMs) - place(startMs), 0)}
          y="0"
          height={HEIGHT}
        />
      ))}
      {timeline.stretches.map(({ kind, startMs, endMs }) => (
        <rect
          key={startMs}
          className={`strip-${kind}`}
          x={place(startMs)}
          width={Math.max(place(endMs) - place(startMs), 0.4)}
          y={kind === 'you' || kind === 'other' ? 10 : kind === 'model' ? 2 : 12}
          height={kind === 'you' || kind === 'other' ? 4 : 10}
        />
      ))}
      {timeline.turns.map(({ number, startMs }) => (
        <line
          key={number}
          className="strip-turn"
          x1={place(startMs)}
          x2={place(startMs)}
          y1="0"
          y2={HEIGHT}
        />
      ))}
      {axis.breaks.map(({ startMs, endMs }) => {
        const x = (place(startMs) + place(endMs)) / 2
        return <path key={startMs} className="strip-break" d={`M${x - 3} 24 l4 -24 M${x} 24 l4 -24`} />
      })}
    </svg>
  )
}
