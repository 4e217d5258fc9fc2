import type { FindResult, SessionNeighbours } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ShownDetail } from '../../api/session/opening.ts'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { NeighbourContext } from '../../content/neighbours/neighbour-context.ts'
import type { ReadingPlace } from '../../features/conversation/jump/reading-place.ts'
import type { ConversationHandle } from '../../features/conversation/open/conversation-handle.ts'
import { Minimap } from '../../features/minimap/minimap.tsx'
import { OutlineView } from '../../features/outline/outline.tsx'
import { ReasoningOutline } from '../../features/reasoning/reasoning-outline.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Border } from '../../ui/lazy/border.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { Tape } from './tape.tsx'
import type { Reading } from './use-reading.ts'

const VIEWS = [
  { value: 'turns', label: 'Turns' },
  { value: 'thoughts', label: 'Thoughts' },
] as const

interface Props {
  sessionRef: string
  detail: ShownDetail
  neighbours: SessionNeighbours | undefined
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
  const { sessionRef, detail, neighbours, isGone, reading, hits, place, onPlace, onFind } = props
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
    }),
    [sessionRef, detail.session.project.path, neighbours],
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
        <Tape {...{ sessionRef, detail, map, isGone, reading, place, onPlace, onFind, handle, outline }} />
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
  const [view, setView] = useState<'turns' | 'thoughts'>('turns')
  const hasThoughts = outline.some(({ thoughts }) => thoughts > 0)
  const turn = outline.findLast(({ firstOffset }) => firstOffset <= place)
  return (
    <>
      {hasThoughts && (
        <div className="outline-views">
          <Segmented label="Outline of" value={view} options={VIEWS} onChange={setView} />
        </div>
      )}
      {view === 'turns' ? (
        <OutlineView
          turns={outline}
          compressions={compressions}
          resumedKeys={resumedKeys}
          current={turn?.number ?? 0}
          isPartial={detail.beginning !== undefined}
          onJump={onJump}
        />
      ) : (
        <Thoughts {...{ sessionRef, detail, place, onJump, onOpenThoughts }} />
      )}
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
