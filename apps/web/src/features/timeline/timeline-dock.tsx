import './timeline-dock.css'
import { useQuery } from '@tanstack/react-query'
import { Table2, X, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo, useState } from 'react'
import { timelineQuery } from '../../api/session/timeline.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { timeAxis } from './time-axis.ts'
import { TimelineLegend } from './timeline-legend.tsx'
import { TimelineRows } from './timeline-rows.tsx'
import { TimelineStrip } from './timeline-strip.tsx'
import { TimelineTable } from './timeline-table.tsx'
import { timelineSummary } from './timeline-words.ts'
import { useTimelineWindow } from './use-timeline-window.ts'

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
  const { data: timeline } = useQuery(timelineQuery(sessionRef, detailWindow))
  return (
    <section className="timeline-dock" aria-labelledby="timeline-title">
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
