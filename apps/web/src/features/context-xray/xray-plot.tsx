import type { ContextXray } from 'gemini-sessions'
import { type KeyboardEvent, type MouseEvent, memo, type PointerEvent, useMemo, useState } from 'react'
import { nextStep } from '../../lib/browser/next-step.ts'
import { formatCount, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { useElementWidth } from '../../lib/hooks/use-element-width.ts'
import { useLatest } from '../../lib/hooks/use-latest.ts'
import { SUPERSEDED_MEANING, SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { promptSentence } from './prompt-sentence.ts'
import { XRAY_LAYOUT, type XrayGeometry, type XrayStep, xrayGeometry, xrayStepAt } from './xray-geometry.ts'
import { toneFill } from './xray-key.tsx'
import type { XraySeries } from './xray-series.ts'

/** Narrower steps would be all edges. */
const MIN_EDGED_STEP_PX = 5
/** The word over a stretch that was taken back needs so much room. */
const MIN_WORD_PX = 70

interface Props {
  xray: ContextXray
  series: readonly XraySeries[]
  /** Position of the call that is chosen. */
  chosen: number
  onChoose: (position: number) => void
  /** The call under the pointer; null: none. */
  onPoint: (position: number | null) => void
  onOpen: (position: number) => void
}

/** All steps are one stop of the Tab key; the arrows walk between them. */
const ONE_STOP = { tabIndex: 0 }

/** The drawing with its hand: the arrows or a click choose a call, Enter leads to its message. */
export function XrayPlot({ xray, series, chosen, onChoose, onPoint, onOpen }: Props) {
  const { ref, width } = useElementWidth()
  const geometry = useMemo(() => xrayGeometry(xray, series, width), [xray, series, width])
  const { steps } = geometry
  const [pointed, setPointed] = useState<number | null>(null)
  const chosenIndex = steps.findIndex(({ last }) => last > chosen)
  // chosen by the address, which takes its time
  const latest = useLatest(chosen)
  const chosenStep = steps[chosenIndex]
  const pointedStep = pointed === null ? undefined : steps[pointed]

  function stepUnder(event: MouseEvent<HTMLElement>): number | null {
    return xrayStepAt(geometry, event.clientX - event.currentTarget.getBoundingClientRect().left)
  }
  function point(index: number | null) {
    if (index === pointed) return
    setPointed(index)
    onPoint(index === null ? null : positionOf(steps[index]))
  }
  function walk(event: KeyboardEvent) {
    const from = steps.findIndex(({ last }) => last > latest.current)
    const next = nextStep(event.key, from, steps.length)
    if (event.key === 'Enter') onOpen(latest.current)
    else if (next === null) return
    else {
      latest.current = positionOf(steps[next]) ?? chosen
      onChoose(latest.current)
    }
    event.preventDefault()
  }
  return (
    <div ref={ref} className="xray-frame">
      <fieldset
        {...ONE_STOP}
        className="xray-plot"
        aria-label={`What filled each prompt, ${formatPlural(xray.calls.length, 'call')}. Arrow keys choose a call, Enter opens its message.`}
        onKeyDown={walk}
        onPointerMove={(event: PointerEvent<HTMLElement>) => {
          if (event.pointerType === 'mouse') point(stepUnder(event))
        }}
        onPointerLeave={() => point(null)}
        onClick={(event) => onChoose(positionOf(steps[stepUnder(event) ?? chosenIndex]) ?? chosen)}
      >
        {width > 0 && (
          <svg width={width} height={XRAY_LAYOUT.height} role="img" aria-label={summaryOf(xray)}>
            <XrayDrawing geometry={geometry} />
            {pointedStep !== undefined && (
              <Crosshair step={pointedStep} width={geometry.step} y={geometry.y} look="pointed" />
            )}
            {chosenStep !== undefined && (
              <Crosshair step={chosenStep} width={geometry.step} y={geometry.y} look="chosen" />
            )}
          </svg>
        )}
      </fieldset>
      {steps.length < xray.calls.length && (
        <p className="xray-note">
          {formatPlural(xray.calls.length, 'call')} in {formatCount(steps.length)} steps: each shows the
          largest of its calls.
        </p>
      )}
      <p className="visually-hidden" role="status">
        {chosenStep !== undefined && promptSentence(xray, chosen)}
      </p>
    </div>
  )
}

function Crosshair(props: { step: XrayStep; width: number; y: (tokens: number) => number; look: string }) {
  const { step, width, y, look } = props
  const x = step.x + width / 2
  const top = y(step.call.input)
  return (
    <g className={`xray-cursor ${look}`}>
      <line x1={x} x2={x} y1={XRAY_LAYOUT.top - 8} y2={XRAY_LAYOUT.bottom} />
      <circle cx={x} cy={top} r="3.5" />
    </g>
  )
}

function positionOf(step: XrayStep | undefined): number | null {
  return step === undefined ? null : step.number - 1
}

function summaryOf({ calls, compressions }: ContextXray): string {
  const peak = calls.reduce((max, { input }) => Math.max(max, input), 0)
  const compressed =
    compressions.length === 0 ? '' : `, compressed ${formatPlural(compressions.length, 'time')}`
  return `Prompts of ${formatPlural(calls.length, 'model call')}, each as a stack of what filled it. The largest was ${formatTokens(peak)} tokens${compressed}.`
}

/** The areas with their axes, without the hand that walks over them. */
const XrayDrawing = memo(function XrayDrawing({ geometry }: { geometry: XrayGeometry }) {
  const right = geometry.width - XRAY_LAYOUT.right
  const isEdged = geometry.step >= MIN_EDGED_STEP_PX
  return (
    <>
      {geometry.ticks.map(({ value, y }) => (
        <g key={value}>
          <line className="xray-grid" x1={XRAY_LAYOUT.left} x2={right} y1={y} y2={y} />
          <text x={XRAY_LAYOUT.left - 8} y={y + 4} textAnchor="end">
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
      <line
        className="xray-axis"
        x1={XRAY_LAYOUT.left}
        x2={right}
        y1={XRAY_LAYOUT.bottom}
        y2={XRAY_LAYOUT.bottom}
      />
      <Turns geometry={geometry} />
      <Seams geometry={geometry} />
    </>
  )
})

function Veils({ geometry }: { geometry: XrayGeometry }) {
  return geometry.veils.map(({ x, width, cause }) => (
    <g key={x}>
      <rect
        className="xray-veil"
        x={x}
        width={width}
        y={XRAY_LAYOUT.top}
        height={XRAY_LAYOUT.bottom - XRAY_LAYOUT.top}
      />
      {width >= MIN_WORD_PX && (
        <text className="xray-veil-word" x={x + width / 2} y={XRAY_LAYOUT.top + 12} textAnchor="middle">
          <title>{SUPERSEDED_MEANING[cause]}</title>
          {SUPERSEDED_WORD[cause]}
        </text>
      )}
    </g>
  ))
}

function Turns({ geometry }: { geometry: XrayGeometry }) {
  return (
    <>
      <text x={XRAY_LAYOUT.left - 8} y={XRAY_LAYOUT.words} textAnchor="end">
        turn
      </text>
      {geometry.turns.map(({ x, number }) => (
        <g key={number}>
          <line className="xray-tick" x1={x} x2={x} y1={XRAY_LAYOUT.bottom} y2={XRAY_LAYOUT.words} />
          <text x={x + 4} y={XRAY_LAYOUT.words}>
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
        <line className="xray-seam" x1={x} x2={x} y1="4" y2={XRAY_LAYOUT.bottom} />
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
