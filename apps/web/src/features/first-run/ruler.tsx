const WIDTH = 640
const STEP = 10
const LONG_EVERY = 5
const NEEDLE = 400
const BASE = 54

/** The ruler of the token chart with its needle at rest: an instrument that waits. */
export function Ruler() {
  const ticks = Array.from({ length: WIDTH / STEP + 1 }, (_, position) => position)
  return (
    <svg className="ruler" viewBox={`0 0 ${WIDTH} 84`} aria-hidden="true">
      {[10, 30, 66, 80].map((y) => (
        <line key={y} className="grid-line" x1="0" x2={WIDTH} y1={y} y2={y} />
      ))}
      {ticks.map((tick) => {
        const x = Math.min(tick * STEP + 0.5, WIDTH - 0.5)
        return (
          <line key={tick} className="tick" x1={x} x2={x} y1={tick % LONG_EVERY === 0 ? 42 : 48} y2={BASE} />
        )
      })}
      <line className="axis" x1="0" x2={WIDTH} y1={BASE + 0.5} y2={BASE + 0.5} />
      <line className="needle" x1="0" x2={NEEDLE} y1={BASE + 0.5} y2={BASE + 0.5} />
      <line className="needle" x1={NEEDLE} x2={NEEDLE} y1="38" y2="64" />
      <path className="needle-head" d={`M${NEEDLE - 5} 34h10l-5 6z`} />
    </svg>
  )
}
