import type { FindResult, SessionDetail, SessionNeighbours } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { sessionMapQuery } from '../../api/session/session-map.ts'
import { NeighbourContext } from '../../content/neighbours/neighbour-context.ts'
import type { ReadingPlace } from '../../features/conversation/jump/reading-place.ts'
import type { ConversationHandle } from '../../features/conversation/open/conversation-handle.ts'
import { Minimap } from '../../features/minimap/minimap.tsx'
import { Border } from '../../ui/lazy/border.tsx'
import { SessionOutline } from './session-outline.tsx'
import { Tape } from './tape.tsx'
import type { Reading } from './use-reading.ts'

interface Props {
  sessionRef: string
  detail: SessionDetail
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
  const { data: map } = useQuery(sessionMapQuery(sessionRef))
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
