import './context-strip.css'
import type { SessionCalls } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import type { Compression } from 'gemini-sessions'
import { type KeyboardEvent, type MouseEvent, memo, useId, useMemo, useState } from 'react'
import { isUnanswered } from '../../../api/request/is-unanswered.ts'
import { sessionAnswerQuery } from '../../../api/session/session-answer.ts'
import { nextStep } from '../../../lib/browser/next-step.ts'
import { formatFineUsd, formatPlural, formatTokens } from '../../../lib/figures/format.ts'
import { useElementWidth } from '../../../lib/hooks/use-element-width.ts'
import { useLatest } from '../../../lib/hooks/use-latest.ts'
import { FailedLine } from '../../../ui/states/failed-line.tsx'
import type { ChartBar } from '../geometry/chart-bars.ts'
import { type ChartCall, toChartCalls } from '../geometry/chart-call.ts'
import { barAt, MOST_STEPS, STRIP, type StripGeometry, stripGeometry } from './strip-geometry.ts'

interface Props {
  sessionRef: string
  compressions: readonly Compression[]
  /** Not all calls are known yet: the place of the strip is held. */
  isPartial: boolean
  onJump: (messageKey: string, offset: number) => void
}

type Steps = SessionCalls['steps']

/** All calls are one stop of the Tab key; the arrows walk between them. */
const ONE_STOP = { tabIndex: 0 }
const NO_MODELS: never[] = []

/** The session on one line: its context, its cost, and where calls failed. A click leads to the call. */
export const ContextStrip = memo(function ContextStrip({
  sessionRef,
  compressions,
  isPartial,
  onJump,
}: Props) {
  const asked = sessionAnswerQuery('calls', sessionRef, { steps: MOST_STEPS })
  const answer = useQuery({ ...asked, enabled: !isPartial })
  const { data: columns } = answer
  const calls = useMemo(() => (columns === undefined ? [] : toChartCalls(columns)), [columns])
  const models = columns?.models ?? NO_MODELS
  const { ref, width } = useElementWidth()
  const geometry = useMemo(
    () => stripGeometry({ calls, models, compressions, width }),
    [calls, models, compressions, width],
  )
  const [active, setActive] = useState<number | null>(null)
  const latest = useLatest(active)
  const activeBar = active === null ? undefined : geometry.bars[active]

  function open(index: number | null) {
    const bar = index === null ? undefined : geometry.bars[index]
    if (bar !== undefined) onJump(bar.call.messageKey, bar.call.offset)
  }
  function walk(event: KeyboardEvent) {
    const next = nextStep(event.key, latest.current, geometry.bars.length)
    if (event.key === 'Enter' || event.key === ' ') open(latest.current)
    else if (event.key === 'Escape') setActive(null)
    else if (next === null) return
    else {
      latest.current = next
      setActive(next)
    }
    event.preventDefault()
  }
  const pointed = (event: MouseEvent<HTMLElement>) =>
    barAt(geometry, event.clientX - event.currentTarget.getBoundingClientRect().left)
  if (isUnanswered(answer)) return <FailedLine what="The calls could not be read." asked={answer} />
  return (
    <div className="context-strip">
      <fieldset
        ref={ref}
        {...ONE_STOP}
        className="strip-plot"
        aria-label={`${summaryOf(calls, columns?.steps, compressions)} Arrow keys walk the calls, Enter opens the message.`}
        onKeyDown={walk}
        onFocus={() => setActive((current) => current ?? geometry.bars.length - 1)}
        onBlur={() => setActive(null)}
        onPointerMove={(event) => setActive(pointed(event))}
        onPointerLeave={() => setActive(null)}
        onClick={(event) => open(pointed(event))}
      >
        {width > 0 && calls.length > 0 && <StripDrawing geometry={geometry} width={width} active={active} />}
      </fieldset>
      <p className="strip-end" role="status">
        {activeBar === undefined ? (
          <EndState calls={calls} steps={columns?.steps} />
        ) : (
          <BarState bar={activeBar} steps={columns?.steps} />
        )}
      </p>
    </div>
  )
})

interface DrawingProps {
  geometry: StripGeometry
  width: number
  active: number | null
}

function StripDrawing({ geometry, width, active }: DrawingProps) {
  const hatch = useId()
  const { step, tierY, turns, compressions, superseded, failures } = geometry
  return (
    <svg width={width} height={STRIP.height} aria-hidden="true">
      <pattern id={hatch} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path className="strip-hatch" d="M0 0V8" />
      </pattern>
      {superseded.map(({ x, width: wide }) => (
        <rect
          key={x}
          x={x}
          y={STRIP.top}
          width={wide}
          height={STRIP.ground - STRIP.top}
          fill={`url(#${hatch})`}
        />
      ))}
      <path className="strip-cost-area" d={geometry.costArea} />
      {tierY !== null && <path className="strip-tier" d={`M0 ${tierY}H${width}`} />}
      <path className="strip-cost" d={geometry.costPath} />
      {geometry.contextPaths.map((path) => (
        <path key={path} className="strip-context" d={path} />
      ))}
      <path className="strip-ground" d={`M0 ${STRIP.ground}H${width}`} />
      {compressions.map((x) => (
        <path key={x} className="strip-cut" d={`M${x} ${STRIP.top}V${STRIP.ground}`} />
      ))}
      {turns.map(({ x, number, isTakenBack }) => (
        <g key={number} className={isTakenBack ? 'strip-number taken-back' : 'strip-number'}>
          <path d={`M${x + 0.5} 2V14`} />
          <text x={x + 4} y="12">
            {number}
          </text>
        </g>
      ))}
      {failures.map((x) => (
        <rect key={x} className="strip-failure" x={x - 1.5} y={STRIP.ground + 1} width="3" height="10" />
      ))}
      {active !== null && (
        <rect
          className="strip-active"
          x={active * step}
          y="0"
          width={Math.max(step, 1)}
          height={STRIP.height}
        />
      )}
    </svg>
  )
}

/** What the context is now, and what all came to. */
function EndState({ calls, steps }: { calls: readonly ChartCall[]; steps: Steps }) {
  const contextNow = steps?.contextNow ?? null
  const usd = calls.reduce((sum, call) => sum + (call.usd ?? 0), 0)
  return (
    <>
      {contextNow !== null && (
        <span>
          <b>{formatTokens(contextNow)}</b> context now
        </span>
      )}
      {usd > 0 && (
        <span>
          <b className="strip-usd">{formatFineUsd(usd)}</b> cost
        </span>
      )}
    </>
  )
}

function BarState({ bar: { call, hasFailure, ...bar }, steps }: { bar: ChartBar; steps: Steps }) {
  const { size, calls } = steps ?? { size: 1, calls: bar.last }
  const first = (bar.first - 1) * size + 1
  const last = Math.min(bar.last * size, calls)
  return (
    <>
      <span>
        <b>{first === last ? `Call ${first}` : `Calls ${first} to ${last}`}</b>
        {call.turn > 0 && `, turn ${call.turn}`}
        {hasFailure && <span className="tone-error"> failed</span>}
      </span>
      <span>
        {call.usage === null ? 'not recorded' : `${formatTokens(call.usage.input)} in`}
        {call.usd !== null && `, ${formatFineUsd(call.usd)}`}
      </span>
    </>
  )
}

function summaryOf(calls: readonly ChartCall[], steps: Steps, compressions: readonly Compression[]): string {
  const peak = calls.reduce((most, { usage }) => Math.max(most, usage?.input ?? 0), 0)
  const usd = calls.reduce((sum, call) => sum + (call.usd ?? 0), 0)
  const failed = steps?.failedCalls ?? 0
  const facts = [
    `the context peaks at ${formatTokens(peak)}`,
    compressions.length > 0 && `compressed ${formatPlural(compressions.length, 'time')}`,
    usd > 0 && `${formatFineUsd(usd)} in all`,
    failed > 0 && `tools failed in ${formatPlural(failed, 'call')}`,
  ].filter(Boolean)
  return `Context and cost over ${formatPlural(steps?.calls ?? 0, 'call')}: ${facts.join(', ')}.`
}

/** What its lines are. */
export function StripLegend() {
  return (
    <span className="strip-legend">
      <span className="strip-key context">context</span>
      <span className="strip-key cost">cost</span>
      <span className="strip-key failure">tool failed</span>
    </span>
  )
}
