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
import { openAtFirst } from '../../lib/browser.ts'
import { Failed, Notice } from '../../ui/states.tsx'
import {
  ConversationFeed,
  hasPageFailed,
  useConversationHandle,
  useWantedPages,
} from './conversation-feed.tsx'
import { useMessagePages } from './feed.ts'
import { type JumpTarget, type ReadingPlace, useJump, useMessageKeys } from './jump.ts'
import { BuriedNotice } from './lead.tsx'
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
  /** undefined: not here yet. */
  map: SessionMap | undefined
  /** Only messages with such a block. */
  show: MessageFilter | undefined
  /** ISO time of the newest message that the reader had seen before; null: they had not. */
  seenUntil: string | null
  /** Deleted from disk: what is not loaded yet cannot be read any more. */
  isGone: boolean
  target: JumpTarget | null
  /** What is marked in the target. */
  terms: readonly HitTerm[]
  /** Brings a message into sight and puts its link into the address. */
  onJump: (messageKey: string, offset: number | null) => void
  onJumpTo: (offset: number) => void
  /** The filter leaves out the message that is to be shown. */
  onOutside: () => void
  onPlace: (place: ReadingPlace) => void
  /** The end of the session is in sight, with all that came in. */
  onEndSeen: () => void
  handle: RefObject<ConversationHandle | null>
  renderPill: (following: Following) => ReactNode
}

const NO_PAGES: ReadonlyMap<number, unknown> = new Map()

/** A change of height that the reader asked for must not move what they look at. */
const TOGGLE_MS = 400

/** All messages of a session in one window-scrolled list, of which only what is in sight is drawn. */
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
  const isToldInPlace = failure !== null && rows.some((row) => hasPageFailed(row, failure))
  const isEndHeld = hasGoneToEnd && !isPaused
  const { isLeaping, leapBy } = useLeap(windowOffset)
  const virtualizer = useRowList({ list, rows, isLoaded, isToggling, isEndHeld, isLeaping, windowOffset })

  const { latestRows, approachRow } = useApproach(virtualizer, rows, leapBy)
  const jump = useJump({
    sessionRef,
    show,
    target,
    rows,
    // where it is not among the first ones, it is looked for in the whole
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

  // what follows the end draws what has come; else it must be drawn already, which under a filter it may never be
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
        {failure !== null && !isGone && !isToldInPlace && (
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

/** Under the filter for thoughts they are what is read; else as the reader has it in the settings. */
function opensUnder(show: MessageFilter | undefined): (id: string) => boolean | undefined {
  const areThoughtsOpen = show === 'thoughts' || openAtFirst.get().includes('thoughts')
  return (id) => (areThoughtsOpen && id.endsWith('/thoughts') ? true : undefined)
}

/** What the reader opened and closed in a session, for as long as the tab lives: who comes back finds it so. */
function choicesOf(sessionRef: string): Map<string, boolean> {
  const choices = choicesBySession.get(sessionRef) ?? new Map<string, boolean>()
  // the one visited last stands last
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
  /** As they were drawn last. */
  latestRows: RefObject<readonly Row[]>
  /** Scrolls until a row is expected to lie so far below the window's top. */
  approachRow: (key: string, below: number) => void
}

/** How a row that may not be drawn yet is brought near. */
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
      // brings the places up to date
      virtualizer.getTotalSize()
      // not the offset to scroll to, which ends where the list does: `below` is taken off it
      const top = virtualizer.measurementsCache[Math.max(index, 0)]?.start ?? 0
      leapBy(top - below - window.scrollY)
    },
    [virtualizer, leapBy],
  )
  return { latestRows, approachRow }
}
