import type { FindResult, MessageMark, SessionNeighbours } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { messageMarksQuery } from '../../api/marks.ts'
import type { ShownDetail } from '../../api/session/opening.ts'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { NeighbourContext } from '../../content/neighbours/neighbour-context.ts'
import type { ReadingPlace } from '../../features/conversation/jump/reading-place.ts'
import type { ConversationHandle } from '../../features/conversation/open/conversation-handle.ts'
import { MarkedMessages } from '../../features/marks/marked-messages.tsx'
import { Minimap } from '../../features/minimap/minimap.tsx'
import { OutlineView } from '../../features/outline/outline.tsx'
import { ReasoningOutline } from '../../features/reasoning/reasoning-outline.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Border } from '../../ui/lazy/border.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { FailedLine } from '../../ui/states/failed-line.tsx'
import { Tape } from './tape.tsx'
import type { Reading } from './use-reading.ts'

const NO_MARKS: Record<string, MessageMark> = {}

interface Props {
  sessionRef: string
  detail: ShownDetail
  neighbours: SessionNeighbours | undefined
  /** ISO time of the newest message that the reader had seen before; null: they had not. */
  seenUntil: string | null
  /** Deleted from disk. */
  isGone: boolean
  reading: Reading
  hits: FindResult['hits']
  place: ReadingPlace
  onPlace: (place: ReadingPlace) => void
  onFind: () => void
}

/** Where the session is read: its outline, the conversation, and the strip of the whole. */
export function ReadingFrame(props: Props) {
  const { sessionRef, detail, neighbours, seenUntil, isGone, reading, hits, place, onPlace, onFind } = props
  const { data: map } = useQuery({
    ...sessionAnswerQuery('map', sessionRef),
    enabled: detail.beginning === undefined,
  })
  const handle = useRef<ConversationHandle | null>(null)
  const scrollTo = useCallback((offset: number) => handle.current?.scrollTo(offset), [])
  const openThoughts = useCallback(
    (messageKeys: string[], isOpen: boolean) => handle.current?.openThoughts(messageKeys, isOpen),
    [],
  )
  const hitOffsets = useMemo(() => hits.map(({ offset }) => offset), [hits])
  const links = useMemo(
    () => ({
      sessionRef,
      root: detail.session.project.path,
      savedOutputs: neighbours?.savedOutputs ?? [],
      images: neighbours?.images ?? [],
      plans: neighbours?.plans ?? [],
      related: detail.related,
    }),
    [sessionRef, detail.session.project.path, detail.related, neighbours],
  )
  const outline = (
    <Border>
      <SessionOutline
        sessionRef={sessionRef}
        detail={detail}
        place={place.here}
        onJump={reading.jump}
        onOpenThoughts={openThoughts}
      />
    </Border>
  )
  return (
    <div className="session-frame">
      <aside className="session-outline wide-only" aria-label="Outline of the session">
        {outline}
      </aside>
      <NeighbourContext value={links}>
        <Tape
          {...{
            sessionRef,
            detail,
            map,
            seenUntil,
            isGone,
            reading,
            place,
            onPlace,
            onFind,
            handle,
            outline,
          }}
        />
      </NeighbourContext>
      {map !== undefined && (
        <div className="session-minimap">
          <Border>
            <Minimap
              map={map}
              compressions={detail.compressions}
              hits={hitOffsets}
              view={place}
              onScrollTo={scrollTo}
            />
          </Border>
        </div>
      )}
    </div>
  )
}

interface SessionOutlineProps {
  sessionRef: string
  detail: ShownDetail
  /** Offset of the message that is being read. */
  place: number
  onJump: (messageKey: string, offset: number) => void
  onOpenThoughts: (messageKeys: string[], isOpen: boolean) => void
}

/** The session in short: by what was asked, or by what the model thought. */
function SessionOutline({ sessionRef, detail, place, onJump, onOpenThoughts }: SessionOutlineProps) {
  const { outline, compressions, resumedKeys } = detail
  const [chosen, setChosen] = useState<'turns' | 'thoughts' | 'marked'>('turns')
  const askedMarks = useQuery(messageMarksQuery(sessionRef))
  const said = askedMarks.data ?? NO_MARKS
  const marks = Object.fromEntries(Object.entries(said).filter(([, { star, note }]) => star || note !== ''))
  const views = [
    { value: 'turns' as const, label: 'Turns' },
    ...(outline.some(({ thoughts }) => thoughts > 0)
      ? [{ value: 'thoughts' as const, label: 'Thoughts' }]
      : []),
    ...(Object.keys(marks).length > 0 ? [{ value: 'marked' as const, label: 'Marked' }] : []),
  ]
  // the last mark may have been taken off
  const view = views.some(({ value }) => value === chosen) ? chosen : 'turns'
  const turn = outline.findLast(({ firstOffset }) => firstOffset <= place)
  return (
    <>
      {views.length > 1 && (
        <div className="outline-views">
          <Segmented label="Outline of" value={view} options={views} onChange={setChosen} />
        </div>
      )}
      <FailedLine what="Your marks could not be read." asked={askedMarks} />
      {view === 'marked' && <MarkedMessages {...{ sessionRef, marks, onJump }} />}
      {view === 'turns' && (
        <OutlineView
          sessionRef={sessionRef}
          turns={outline}
          compressions={compressions}
          resumedKeys={resumedKeys}
          current={turn?.number ?? 0}
          isPartial={detail.beginning !== undefined}
          onJump={onJump}
        />
      )}
      {view === 'thoughts' && <Thoughts {...{ sessionRef, detail, place, onJump, onOpenThoughts }} />}
    </>
  )
}

function Thoughts({ sessionRef, detail, place, onJump, onOpenThoughts }: SessionOutlineProps) {
  const { data: reasoning, error, refetch } = useQuery(sessionAnswerQuery('reasoning', sessionRef))
  if (reasoning !== undefined)
    return (
      <ReasoningOutline
        reasoning={reasoning}
        turns={detail.outline}
        place={place}
        onJump={onJump}
        onOpenThoughts={onOpenThoughts}
      />
    )
  if (error === null) return <p className="reasoning-none">Reading the thoughts …</p>
  return <Failed what="The thoughts could not be read." error={error} onRetry={() => void refetch()} />
}
