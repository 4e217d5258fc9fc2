import type { SessionMap } from '@gemini-dash/api'
import { ListTree } from 'lucide-react'
import { type ReactNode, type RefObject, useCallback, useMemo, useState } from 'react'
import type { ShownDetail } from '../../api/session/opening.ts'
import { Conversation, type Following } from '../../features/conversation/conversation.tsx'
import type { ReadingPlace } from '../../features/conversation/jump/reading-place.ts'
import type { ConversationHandle, StepKind } from '../../features/conversation/open/conversation-handle.ts'
import { FollowPill } from '../../features/live/follow-pill.tsx'
import { FilterBar } from '../../features/session-filter/filter-bar.tsx'
import { FILTER_NAMES } from '../../features/session-filter/filter-names.ts'
import { StepButtons } from '../../features/session-filter/step-buttons.tsx'
import { PlaceBar } from '../../features/session-head/place-bar.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SheetButton } from '../../ui/frames/sheet-button.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { AnswerMissing } from './answer-missing.tsx'
import type { Reading } from './use-reading.ts'

interface Props {
  sessionRef: string
  detail: ShownDetail
  map: SessionMap | undefined
  /** ISO time of the newest message that the reader had seen before; null: they had not. */
  seenUntil: string | null
  isGone: boolean
  reading: Reading
  place: ReadingPlace
  onPlace: (place: ReadingPlace) => void
  onFind: () => void
  handle: RefObject<ConversationHandle | null>
  /** Opened as a sheet on a phone. */
  outline: ReactNode
}

/** The conversation with its bars: what of it to read, where the reader is, and the ways on. */
export function Tape(props: Props) {
  const { sessionRef, detail, map, seenUntil, isGone, reading, place, onPlace, onFind, handle, outline } =
    props
  const { show, lifted, jump } = reading
  const isWhole = detail.beginning === undefined
  const [stepKind, setStepKind] = useState<StepKind>('prompt')
  const turn = useMemo(
    () => detail.outline.findLast((turn) => turn.firstOffset <= place.top),
    [detail.outline, place.top],
  )
  const isLive = detail.session.live
  const { arrivals, markSeen } = useArrivals(detail)
  const renderPill = useCallback(
    ({ isAtEnd, isPaused, pause, follow }: Following) => (
      <FollowPill
        arrivals={arrivals}
        isLive={isLive}
        isAtEnd={isAtEnd}
        isPaused={isPaused}
        onPause={pause}
        onFollow={follow}
      />
    ),
    [isLive, arrivals],
  )
  const steps = (
    <StepButtons kind={stepKind} onKind={setStepKind} onStep={(kind, by) => handle.current?.step(kind, by)} />
  )
  return (
    <section className="tape" aria-label="Conversation">
      <FilterBar
        sessionRef={sessionRef}
        show={show}
        counts={map?.counts}
        total={isWhole ? detail.messageTotal : undefined}
        onShow={(next) => reading.showOnly(next, place.top)}
        onFind={onFind}
      >
        {steps}
      </FilterBar>
      <AnswerMissing
        sessionRef={sessionRef}
        question="map"
        what="How many there are of each kind, and the strip, could not be read."
      />
      {lifted !== null && (
        <Notice>The filter “{FILTER_NAMES[lifted]}” is off: it leaves out the message you went to.</Notice>
      )}
      <PlaceBar sessionRef={sessionRef} turn={turn} map={map} place={place.top} onJump={jump} steps={steps}>
        <SheetButton icon={ListTree} label="Outline">
          {outline}
        </SheetButton>
      </PlaceBar>
      <NewsNotice turns={detail.outline} seenUntil={seenUntil} onJump={jump} />
      <Conversation
        key={`${detail.session.key} ${show ?? ''}`}
        sessionRef={sessionRef}
        detail={detail}
        map={map}
        show={show}
        seenUntil={seenUntil}
        isGone={isGone}
        target={reading.target}
        terms={reading.terms}
        onJump={jump}
        onJumpTo={reading.jumpTo}
        onOutside={reading.lift}
        onPlace={onPlace}
        onEndSeen={markSeen}
        handle={handle}
        renderPill={renderPill}
      />
      {!isWhole && <PartialMark />}
    </section>
  )
}

interface NewsProps {
  turns: ShownDetail['outline']
  seenUntil: string | null
  onJump: Reading['jump']
}

/** Says that the session grew since the reader was here, and leads to where that begins. */
function NewsNotice({ turns, seenUntil, onJump }: NewsProps) {
  // thousands of turns are not gone through for every change of the page
  const news = useMemo(() => {
    const seenMs = seenUntil === null ? Number.POSITIVE_INFINITY : Date.parse(seenUntil)
    return turns.filter(({ endTime }) => endTime !== null && Date.parse(endTime) > seenMs)
  }, [turns, seenUntil])
  const [first] = news
  if (first === undefined) return null
  return (
    <Notice>
      New since you were here: {formatPlural(news.length, 'turn')}.{' '}
      <Button size="tiny" onClick={() => onJump(first.messageKey, first.firstOffset)}>
        Show
      </Button>
    </Notice>
  )
}

interface Counted {
  sessionKey: string
  isWhole: boolean
  messageTotal: number
  arrivals: number
}

/** Messages that were appended since the reader last saw the end of the session. A filter changes nothing about them. */
function useArrivals({ session, messageTotal, beginning }: ShownDetail) {
  const isWhole = beginning === undefined
  const start = { sessionKey: session.key, isWhole, messageTotal, arrivals: 0 }
  const [counted, setCounted] = useState<Counted>(start)
  // what is read after the beginning is not new
  if (counted.sessionKey !== session.key || counted.isWhole !== isWhole) {
    setCounted(start)
  } else if (counted.messageTotal !== messageTotal) {
    // only what is being written grows by messages that are new
    const grown = session.live ? messageTotal - counted.messageTotal : 0
    setCounted({ ...counted, messageTotal, arrivals: Math.max(counted.arrivals + grown, 0) })
  }
  const markSeen = useCallback(
    () => setCounted((current) => (current.arrivals === 0 ? current : { ...current, arrivals: 0 })),
    [],
  )
  return { arrivals: counted.arrivals, markSeen }
}

/** Nothing moves when it goes. */
function PartialMark() {
  return (
    <p className="follow-pill quiet" role="status">
      Only the beginning is read yet; what it shows may still be taken back.
    </p>
  )
}
