import { toolLabel } from '@gemini-dash/api/tool-label'
import { getRouteApi } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { Timeline, TimelineStep, WaitKind } from 'gemini-sessions'
import { memo, useCallback, useEffect, useMemo, useRef } from 'react'
import { classNames } from '../lib/browser.ts'
import { formatClock } from '../lib/dates.ts'
import { formatAtMost, formatDuration, formatPlural } from '../lib/figures.ts'
import { useIsNarrow } from '../lib/hooks.ts'

interface Props {
  timeline: Timeline
  /** The open session. */
  sessionKey: string
  /** Filters the listed steps. */
  isWanted: (step: TimelineStep) => boolean
  /** Offset of the message being read. */
  place: number
  /** Scrolls to a step, in this session or in a sub-agent's. */
  onOpen: (sessionKey: string, messageKey: string, offset: number) => void
}

const ROW_PX = 28
/** For touch. */
const NARROW_ROW_PX = 36
const INDENT_REM = 0.75

/** What happened when, and an upper limit of how long it took: only end times are recorded. */
export const TimeOutline = memo(function TimeOutline(props: Props) {
  const { timeline, sessionKey, isWanted, place, onOpen } = props
  const box = useRef<HTMLDivElement>(null)
  const rowPx = useIsNarrow() ? NARROW_ROW_PX : ROW_PX
  const steps = useMemo(() => timeline.steps.filter(isWanted), [timeline, isWanted])
  const waits = useMemo(
    () =>
      new Map(
        timeline.stretches
          .filter(({ kind }) => kind === 'you')
          .map(({ startMs, endMs }) => [endMs, endMs - startMs]),
      ),
    [timeline],
  )
  const virtualizer = useVirtualizer({
    count: steps.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 10,
  })
  const here = steps.findLastIndex((step) => step.sessionKey === sessionKey && step.offset <= place)
  useEffect(() => {
    if (here !== -1) virtualizer.scrollToIndex(here, { align: 'auto' })
  }, [here, virtualizer])
  const { startTime, untimed } = timeline
  if (startTime === null) return <p className="outline-none">No times are recorded.</p>
  return (
    <>
      <p
        className="time-summary meta"
        title="Only end times are recorded, so lengths are upper limits. Tool time includes waiting for your approval."
      >
        {timelineSummary(timeline)}
        {untimed > 0 && ` · ${formatPlural(untimed, 'message')} without a time`}
      </p>
      <nav aria-label="Steps by time" className="outline-box" ref={box}>
        <ol className="outline-space" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const step = steps[index]
            if (step === undefined) return null
            const clock = timelineClock(timeline, step.atMs)
            const waitMs = step.kind === 'prompt' && step.depth === 0 ? waits.get(step.atMs) : undefined
            return (
              <li key={key} style={{ top: start }} aria-setsize={steps.length} aria-posinset={index + 1}>
                <StepLink
                  step={step}
                  clock={clock}
                  length={waitMs === undefined ? stepLength(step) : formatAtMost(waitMs)}
                  title={`${stepSentence(step, clock)}${waitMs === undefined ? '' : `, waited for you ${formatAtMost(waitMs)}`}`}
                  isHere={index === here}
                  onOpen={() => onOpen(step.sessionKey, step.messageKey, step.offset)}
                />
              </li>
            )
          })}
        </ol>
      </nav>
    </>
  )
})

interface StepLinkProps {
  step: TimelineStep
  clock: string
  length: string
  title: string
  isHere: boolean
  onOpen: () => void
}

function StepLink({ step, clock, length, title, isHere, onOpen }: StepLinkProps) {
  const isSaid = step.kind === 'prompt' || step.kind === 'notice'
  return (
    <a
      className={classNames(
        'outline-turn',
        'time-step',
        step.kind === 'prompt' && step.depth === 0 && 'is-prompt',
        step.failed && 'failed',
        step.superseded !== null && 'superseded',
      )}
      href={`/s/${step.sessionKey}#m-${step.messageKey}`}
      title={title}
      aria-current={isHere ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
    >
      <span className="outline-number meta">{clock}</span>
      <span
        className="outline-prompt one-line"
        dir="auto"
        style={{ paddingInlineStart: `${step.depth * INDENT_REM}rem` }}
      >
        {isSaid ? step.label || timelineStepName(step) : timelineStepName(step)}
        {!isSaid && step.detail !== '' && ` ${step.detail}`}
      </span>
      {length !== '' && <span className="time-length meta">{length}</span>}
    </a>
  )
}

const WAIT_WORDS: Record<WaitKind, string> = {
  you: 'you',
  model: 'model',
  tool: 'tools',
  other: 'unknown',
}

/** Where the time went: `2 h 46 min: model ≤ 3 min 20 s, tools ≤ 1 min 30 s, you ≤ 2 h 41 min`. */
function timelineSummary({ wallMs, totals }: Timeline): string {
  const parts = (['model', 'tool', 'you', 'other'] as const)
    .filter((kind) => totals[kind] > 0)
    .map((kind) => `${WAIT_WORDS[kind]} ≤ ${formatDuration(totals[kind])}`)
  return [formatDuration(wallMs), parts.join(', ')].filter(Boolean).join(': ')
}

/** Label of a row. */
function timelineStepName(step: TimelineStep): string {
  if (step.kind === 'model') return 'Gemini'
  if (step.kind === 'prompt') return step.depth > 0 ? 'Task' : 'You'
  if (step.kind === 'notice') return 'Notice'
  return step.kind === 'run' ? step.label : toolLabel(step.label)
}

/** `≤ 4.1 s`, or `34 s` if measured; '' if it took no time. */
function stepLength({ sinceMs, atMs, measured }: TimelineStep): string {
  if (measured !== null) return formatDuration(measured.endMs - measured.startMs)
  return atMs > sinceMs ? formatAtMost(atMs - sinceMs) : ''
}

/** `20:31:40` */
function timelineClock({ startTime }: Timeline, ms: number): string {
  return formatClock(new Date(Date.parse(startTime ?? '') + ms).toISOString(), 'seconds')
}

/** A step as a sentence for screen readers. */
export function stepSentence(step: TimelineStep, clock: string): string {
  const length =
    step.measured !== null
      ? `, measured ${formatDuration(step.measured.endMs - step.measured.startMs)}`
      : step.atMs > step.sinceMs
        ? `, at most ${formatDuration(step.atMs - step.sinceMs)}`
        : ''
  const thoughts = step.thoughts.length > 0 ? `, ${formatPlural(step.thoughts.length, 'thought')}` : ''
  const text = step.kind === 'prompt' || step.kind === 'notice' ? step.label : step.detail
  return `${clock}, ${timelineStepName(step)}${text === '' ? '' : `: ${text}`}${length}${thoughts}${step.failed ? ', failed' : ''}`
}

const route = getRouteApi('/s/$key')

/** Opens a step's message, in this session or in a sub-agent's. */
export function useOpenStep(sessionKey: string, jump: (messageKey: string, offset: number | null) => void) {
  const navigate = route.useNavigate()
  return useCallback(
    (ofSession: string, messageKey: string, offset: number) => {
      if (ofSession === sessionKey) jump(messageKey, offset)
      else
        void navigate({
          to: '/s/$key',
          params: { key: ofSession },
          hash: `m-${messageKey}`,
        })
    },
    [navigate, sessionKey, jump],
  )
}
