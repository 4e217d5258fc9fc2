import './conversation.css'
import type { MessageFilter, SessionMap } from '@gemini-dash/api'
import type { Virtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ShownDetail } from '../../api/session.ts'
import type { HitTerm } from '../../content/machine-text.tsx'
import { openAtFirst } from '../../lib/preferences.ts'
import { Failed, Notice } from '../../ui/states.tsx'
import {
  ConversationFeed,
  hasPageFailed,
  useConversationHandle,
  useWantedPages,
} from './conversation-feed.tsx'
import { BuriedNotice } from './dividers.tsx'
import { useMessagePages } from './feed.ts'
import { type JumpTarget, type ReadingPlace, useJump, useMessageKeys } from './jump.ts'
import { SessionCostContext } from './message/margin.tsx'
import { type ConversationHandle, OpenStore, OpenStoreContext } from './open-store.ts'
import type { Row } from './row.ts'
import {
  type Leap,
  useEndHold,
  useLeap,
  useRowList,
  useSight,
  useWayToEnd,
  WindowOffset,
} from './use-row-list.ts'
import { useRows, useSettledRows } from './use-rows.ts'

const MAX_SESSIONS = 50
const choicesBySession = new Map<string, Map<string, boolean>>()

/** How the end of the list is followed. */
export interface Following {
  isAtEnd: boolean
  isPaused: boolean
  pause: () => void
  follow: () => void
}

interface Props {
  sessionRef: string
  detail: ShownDetail
  /** undefined until loaded. */
  map: SessionMap | undefined
  /** Shows only messages with such a block. */
  show: MessageFilter | undefined
  /** ISO time of the newest message seen before; null if none. */
  seenUntil: string | null
  /** Deleted from disk: messages not loaded yet are no longer available. */
  isGone: boolean
  target: JumpTarget | null
  /** Words to highlight in the target. */
  terms: readonly HitTerm[]
  /** Scrolls to a message and puts its link into the address. */
  onJump: (messageKey: string, offset: number | null) => void
  onJumpTo: (offset: number) => void
  /** Called if the filter hides the target message. */
  onOutside: () => void
  onPlace: (place: ReadingPlace) => void
  /** Called when the end of the session is in view with all new messages. */
  onEndSeen: () => void
  handle: RefObject<ConversationHandle | null>
  renderPill: (following: Following) => ReactNode
}

const NO_PAGES: ReadonlyMap<number, unknown> = new Map()

/** After a toggle, height changes must not scroll the content. */
const TOGGLE_MS = 400

/** All messages of a session in one window-scrolled virtual list. */
export const Conversation = memo(function Conversation(props: Props) {
  const { sessionRef, detail, map, show, seenUntil, isGone, target, terms, handle, renderPill } = props
  const { onJump, onJumpTo, onOutside, onPlace, onEndSeen } = props
  const { beginning, messageTotal } = detail
  const isPartial = beginning !== undefined
  const [store] = useState(() => new OpenStore(choicesOf(sessionRef), opensUnder(show)))
  const storeVersion = useSyncExternalStore(store.subscribe, store.version)
  const isToggling = useRecentChange(storeVersion, TOGGLE_MS)
  const [isPaused, setIsPaused] = useState(false)
  const [windowOffset] = useState(() => new WindowOffset())
  const { hasGoneToEnd, hold } = useEndHold(windowOffset, !isPartial)
  const list = useRef<HTMLDivElement>(null)
  const messagePages = useMessagePages(sessionRef, show, messageTotal, beginning)
  const { pages, total, want, failure } = messagePages

  const rows = useSettledRows(
    useRows(detail, messagePages, map, store, seenUntil),
    messagePages.states.every((state) => state === detail.state),
  )

  const isLoaded = pages.size > 0
  const isShownInPlace = failure !== null && rows.some((row) => hasPageFailed(row, failure))
  const isEndHeld = hasGoneToEnd && !isPaused
  const { isLeaping, leapBy } = useLeap(windowOffset)
  const virtualizer = useRowList({ list, rows, isLoaded, isToggling, isEndHeld, isLeaping, windowOffset })

  const { latestRows, approachRow } = useApproach(virtualizer, rows, leapBy)
  const jump = useJump({
    sessionRef,
    show,
    target,
    rows,
    // a target that is not among the first messages waits for the whole session
    loadedPages: isPartial && !beginning.some(({ key }) => key === target?.messageKey) ? NO_PAGES : pages,
    store,
    approachRow,
    moveWindow: windowOffset.moveWindow,
    onOutside,
  })

  const onGo = useCallback(() => {
    setIsPaused(false)
    hold()
  }, [hold])
  const end = useWayToEnd({ sessionRef, show, messagePages, windowOffset, isEndKnown: !isPartial, onGo })

  useWantedPages({ virtualizer, rows, want, also: [jump.page, end.page] })
  const { place, bottomOffset, isAtEnd } = useSight(virtualizer, rows, jump.offset)
  useEffect(() => onPlace(place), [place, onPlace])

  // following the end draws new messages; otherwise they must be drawn already, which a filter may prevent
  const isEndSeen = isAtEnd && !isPaused && (hasGoneToEnd || (isLoaded && bottomOffset >= messageTotal - 1))
  useEffect(() => {
    if (isEndSeen && messageTotal > 0) onEndSeen()
  }, [isEndSeen, messageTotal, onEndSeen])
  const step = useMessageKeys({ detail, map, rows, store, onJump, onJumpTo, onEnd: end.go, leapBy, place })

  useConversationHandle(handle, { virtualizer, latestRows, step, store })

  return (
    <OpenStoreContext value={store}>
      <SessionCostContext value={detail.session.cost?.usd ?? null}>
        {detail.session.buried && <BuriedNotice cause={detail.buriedBy} />}
        {jump.isMissing && <Notice tone="warning">That message is no longer in this session.</Notice>}
        {failure !== null && !isGone && !isShownInPlace && (
          <Failed what="Some messages could not be read." error={failure.error} onRetry={failure.retry} />
        )}
        {messageTotal === 0 && <p className="conversation-empty">No message was recorded in this session.</p>}
        <ConversationFeed
          list={list}
          virtualizer={virtualizer}
          rows={rows}
          show={show}
          isBusy={isPartial || (!isLoaded && total > 0 && failure === null)}
          failure={failure}
          total={isPartial ? -1 : messageTotal}
          flashingKey={jump.flashingKey}
          pendingKey={detail.session.live ? rows.at(-1)?.key : undefined}
          targetKey={target?.messageKey}
          {...{ terms, onJump }}
        />
        {renderPill({
          isAtEnd: isAtEnd && hasGoneToEnd,
          isPaused,
          pause: () => setIsPaused(true),
          follow: end.go,
        })}
      </SessionCostContext>
    </OpenStoreContext>
  )
})

/** The filter for thoughts opens them; otherwise the settings decide. */
function opensUnder(show: MessageFilter | undefined): (id: string) => boolean | undefined {
  const areThoughtsOpen = show === 'thoughts' || openAtFirst.get().includes('thoughts')
  return (id) => (areThoughtsOpen && id.endsWith('/thoughts') ? true : undefined)
}

/** What the reader opened and closed in a session; lasts as long as the tab. */
function choicesOf(sessionRef: string): Map<string, boolean> {
  const choices = choicesBySession.get(sessionRef) ?? new Map<string, boolean>()
  // moves it to the end, the most recently visited
  choicesBySession.delete(sessionRef)
  choicesBySession.set(sessionRef, choices)
  const [oldest] = choicesBySession.keys()
  if (choicesBySession.size > MAX_SESSIONS && oldest !== undefined) choicesBySession.delete(oldest)
  return choices
}

/** True for `forMs` after each change of `version`. */
function useRecentChange(version: number, forMs: number): boolean {
  const [settled, setSettled] = useState(version)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(version), forMs)
    return () => window.clearTimeout(timer)
  }, [version, forMs])
  return settled !== version
}

interface Approach {
  /** As last rendered. */
  latestRows: RefObject<readonly Row[]>
  /** Scrolls to where a row is expected to be `below` px from the top of the window. */
  approachRow: (key: string, below: number) => void
}

/** Scrolls near a row that may not be drawn yet. */
function useApproach(
  virtualizer: Virtualizer<Window, HTMLDivElement>,
  rows: readonly Row[],
  leapBy: Leap['leapBy'],
): Approach {
  const latestRows = useRef(rows)
  useLayoutEffect(() => {
    latestRows.current = rows
  }, [rows])
  const approachRow = useCallback(
    (key: string, below: number) => {
      const index = latestRows.current.findIndex((row) => row.key === key)
      // updates the measurements
      virtualizer.getTotalSize()
      // not the list's own scroll offset, which is clamped to its end: `below` is subtracted from it
      const top = virtualizer.measurementsCache[Math.max(index, 0)]?.start ?? 0
      leapBy(top - below - window.scrollY)
    },
    [virtualizer, leapBy],
  )
  return { latestRows, approachRow }
}
