import './timeline-dock.css'
import './timeline-bars.css'
import './timeline-legend.css'
import '../../ui/frames/panel.css'
import './timeline-table.css'
import { useQuery } from '@tanstack/react-query'
import type { Timeline } from 'gemini-sessions'
import { Table2, X, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo, useState } from 'react'
import { timelineQuery } from '../../api/session/session.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { DockGrip, useDockHeight } from './dock-grip.tsx'
import { timeAxis } from './time-axis.ts'
import { TimelineRows } from './timeline-rows.tsx'
import { TimelineStrip } from './timeline-strip.tsx'
import { STEP_WORDS, stepLength, timelineClock, timelineStepName, timelineSummary } from './timeline-words.ts'
import { useTimelineWindow } from './use-timeline-window.ts'

const PAGE_ROWS = 200

const KEYS = [
  ['wait-you', 'waiting for you'],
  ['wait-model', 'model'],
  ['wait-tool', 'tool'],
  ['thought', 'thought'],
  ['mark', 'recorded'],
] as const

interface Props {
  sessionRef: string
  sessionKey: string
  /** Place of the message at the top of the window. */
  place: number
  /** Brings a step into sight: one of this session, or of a sub-agent's. */
  onOpen: (sessionKey: string, messageKey: string, offset: number) => void
  onClose: () => void
}

/** Where the time of the session went: what happened when, on one axis, under the conversation that it scrolls. */
export function TimelineDock({ sessionRef, sessionKey, place, onOpen, onClose }: Props) {
  const { data: whole, error, refetch } = useQuery(timelineQuery(sessionRef, null))
  const axis = useMemo(() => timeAxis(whole?.stretches ?? [], whole?.wallMs ?? 0), [whole])
  const { window, zoom, move, showAll, isWhole } = useTimelineWindow()
  const [isTable, setIsTable] = useState(false)
  const detailWindow = useMemo(() => {
    const isGathered = whole?.steps.some(({ kind }) => kind === 'run') ?? false
    if (isWhole || !isGathered) return null
    return { from: Math.floor(axis.toMs(window.from)), to: Math.ceil(axis.toMs(window.to)) }
  }, [whole, axis, window, isWhole])
  const { data: closer } = useQuery(timelineQuery(sessionRef, detailWindow))
  // where the closer look fails, steps stay gathered
  const timeline = closer ?? whole
  const dock = useDockHeight()
  return (
    <section
      className="timeline-dock"
      aria-labelledby="timeline-title"
      aria-busy={whole === undefined && error === null}
      style={{ height: dock.height }}
    >
      <DockGrip {...dock} />
      <div className="timeline-bar">
        <h2 id="timeline-title">Timeline</h2>
        {whole !== undefined && <p className="timeline-summary">{timelineSummary(whole)}</p>}
        <div className="timeline-controls">
          <IconButton icon={ZoomOut} label="Zoom out (-)" disabled={isWhole} onClick={() => zoom(2)} />
          <IconButton icon={ZoomIn} label="Zoom in (+)" onClick={() => zoom(0.5)} />
          <Button look="quiet" disabled={isWhole} onClick={showAll}>
            All
          </Button>
          <Button look="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            <Icon of={Table2} small />
            {isTable ? 'View as chart' : 'View as table'}
          </Button>
          <IconButton icon={X} label="Close the timeline" onClick={onClose} />
        </div>
      </div>
      {error !== null && <Failed what="The timeline could not be read." error={error} onRetry={refetch} />}
      {whole?.startTime === null && <p className="timeline-none">No message of this session has a time.</p>}
      {timeline !== undefined && timeline.startTime !== null && whole !== undefined && (
        <>
          {isTable ? (
            <TimelineTable timeline={timeline} onOpen={onOpen} />
          ) : (
            <>
              <TimelineStrip
                timeline={whole}
                axis={axis}
                window={window}
                steps={timeline.steps}
                onOpen={onOpen}
              />
              <TimelineRows
                timeline={timeline}
                axis={axis}
                window={window}
                sessionKey={sessionKey}
                place={place}
                onOpen={onOpen}
                onZoom={zoom}
                onMove={move}
                onShowAll={showAll}
              />
            </>
          )}
          <TimelineLegend untimed={timeline.untimed} />
        </>
      )}
    </section>
  )
}

/** What the marks mean, and what they do not claim. */
function TimelineLegend({ untimed }: { untimed: number }) {
  return (
    <p className="timeline-legend">
      {KEYS.map(([look, meaning]) => (
        <span key={look} className="timeline-meaning">
          <span className={`timeline-key ${look}`} aria-hidden="true" />
          {meaning}
        </span>
      ))}
      <span>
        The CLI records when things ended, never when they began: hatched lengths are upper bounds, and a
        tool’s holds the wait for your approval.
        {untimed > 0 && ` ${formatPlural(untimed, 'message')} without a time left out.`}
      </span>
    </p>
  )
}

/** The same as a table: when it was recorded, what it was, and how long it took at most. */
function TimelineTable({
  timeline,
  onOpen,
}: {
  timeline: Timeline
  onOpen: (sessionKey: string, messageKey: string, offset: number) => void
}) {
  const [shown, setShown] = useState(PAGE_ROWS)
  return (
    <ScrollRegion label="Timeline as a table" className="timeline-table">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">Recorded</th>
            <th scope="col">Turn</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col" className="num">
              Took at most
            </th>
          </tr>
        </thead>
        <tbody>
          {timeline.steps.slice(0, shown).map((step, index) => (
            <tr key={`${index} ${step.sessionKey} ${step.messageKey}`}>
              <td>
                <button
                  type="button"
                  className="link"
                  onClick={() => onOpen(step.sessionKey, step.messageKey, step.offset)}
                >
                  {timelineClock(timeline, step.atMs)}
                </button>
              </td>
              <td className="num">{step.turn}</td>
              <td>{step.depth > 0 ? `${STEP_WORDS[step.kind]} (sub-agent)` : STEP_WORDS[step.kind]}</td>
              <td className="timeline-what" dir="auto">
                {step.kind === 'prompt' || step.kind === 'notice'
                  ? step.label
                  : `${timelineStepName(step)} ${step.detail}`}
                {step.failed && <b className="tone-error"> failed</b>}
              </td>
              <td className="num">{stepLength(step)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {timeline.steps.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + PAGE_ROWS)}>
          Show {formatPlural(Math.min(PAGE_ROWS, timeline.steps.length - shown), 'more step')}
        </Button>
      )}
    </ScrollRegion>
  )
}
