import { memo } from 'react'
import { formatTokens } from '../../lib/figures/format.ts'
import { SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { LAYOUT, type XrayGeometry } from './xray-geometry.ts'
import { toneFill } from './xray-key.tsx'

/** Narrower steps would be all edges. */
const MIN_EDGED_STEP_PX = 5
/** The word over a stretch that was taken back needs so much room. */
const MIN_WORD_PX = 70

/** The areas with their axes, without the hand that walks over them. */
export const XrayDrawing = memo(function XrayDrawing({ geometry }: { geometry: XrayGeometry }) {
  const right = geometry.width - LAYOUT.right
  const isEdged = geometry.step >= MIN_EDGED_STEP_PX
  return (
    <>
      {geometry.ticks.map(({ value, y }) => (
        <g key={value}>
          <line className="xray-grid" x1={LAYOUT.left} x2={right} y1={y} y2={y} />
          <text x={LAYOUT.left - 8} y={y + 4} textAnchor="end">
            {formatTokens(value)}
          </text>
        </g>
      ))}
      <g className={isEdged ? 'xray-areas edged' : 'xray-areas'}>
        {geometry.areas.map(({ tone, path }) => (
          <path key={tone} {...toneFill(tone)} d={path} />
        ))}
      </g>
      <Veils geometry={geometry} />
      <path className="xray-input" d={geometry.inputPath} />
      <line className="xray-axis" x1={LAYOUT.left} x2={right} y1={LAYOUT.bottom} y2={LAYOUT.bottom} />
      <Turns geometry={geometry} />
      <Seams geometry={geometry} />
    </>
  )
})

function Veils({ geometry }: { geometry: XrayGeometry }) {
  return geometry.veils.map(({ x, width, cause }) => (
    <g key={x}>
      <rect className="xray-veil" x={x} width={width} y={LAYOUT.top} height={LAYOUT.bottom - LAYOUT.top} />
      {width >= MIN_WORD_PX && (
        <text className="xray-veil-word" x={x + width / 2} y={LAYOUT.top + 12} textAnchor="middle">
          {SUPERSEDED_WORD[cause]}
        </text>
      )}
    </g>
  ))
}

function Turns({ geometry }: { geometry: XrayGeometry }) {
  return (
    <>
      <text x={LAYOUT.left - 8} y={LAYOUT.words} textAnchor="end">
        turn
      </text>
      {geometry.turns.map(({ x, number }) => (
        <g key={number}>
          <line className="xray-tick" x1={x} x2={x} y1={LAYOUT.bottom} y2={LAYOUT.words} />
          <text x={x + 4} y={LAYOUT.words}>
            {number}
          </text>
        </g>
      ))}
    </>
  )
}

function Seams({ geometry }: { geometry: XrayGeometry }) {
  return geometry.seams.map(({ x, inputBefore, inputAfter }) => {
    const isNearEnd = x > geometry.width - 190
    return (
      <g key={x}>
        <line className="xray-seam" x1={x} x2={x} y1="4" y2={LAYOUT.bottom} />
        <text
          className="xray-seam-word"
          x={isNearEnd ? x - 6 : x + 6}
          y="12"
          textAnchor={isNearEnd ? 'end' : 'start'}
        >
          compressed, {formatTokens(inputBefore)} → {formatTokens(inputAfter)}
        </text>
      </g>
    )
  })
}
