import './conversation.css'
import type { MessageFilter, SessionDetail, SessionMap } from '@gemini-dash/api'
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { HitTerm } from '../../content/text/hit-context.ts'
import { Failed } from '../../ui/states/failed.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { choicesOf } from './choices-of.ts'
import { pageOf } from './feed/page-size.ts'
import { useMessagePages } from './feed/use-message-pages.ts'
import type { JumpTarget } from './jump/jump-target.ts'
import { type ReadingPlace, readingPlace } from './jump/reading-place.ts'
import { stepThroughFeed } from './jump/step-through-feed.ts'
import { useJump } from './jump/use-jump.ts'
import { useMessageKeys } from './jump/use-message-keys.ts'
import { BuriedNotice } from './lead/buried-notice.tsx'
import { ConversationRow } from './list/conversation-row.tsx'
import { unloadedHeight } from './list/estimate-row-height.ts'
import { STICKY_PX } from './list/sticky.ts'
import { AT_END_PX, useEndHold } from './list/use-end-hold.ts'
import { useRecentChange } from './list/use-recent-change.ts'
import { useRowList } from './list/use-row-list.ts'
import { visiblePages } from './list/visible-pages.ts'
import { WindowOffset } from './list/window-offset.ts'
import type { ConversationHandle } from './open/conversation-handle.ts'
import { OpenStore, OpenStoreContext } from './open/open-store.ts'
import { firstOffsetOf, offsetAt } from './rows/offset-at.ts'
import { useRows } from './rows/use-rows.ts'
import { useSettledRows } from './rows/use-settled-rows.ts'

/** How the end of the list is followed. */
export interface Following {
  isAtEnd: boolean
  isPaused: boolean
  pause: () => void
  follow: () => void
}

interface Props {
  sessionRef: string
  detail: SessionDetail
  /** undefined: not here yet. */
  map: SessionMap | undefined
  /** Only messages with such a block. */
  show: MessageFilter | undefined
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

/** A change of height that the reader asked for must not move what they look at. */
const TOGGLE_MS = 400

/** All messages of a session in one window-scrolled list, of which only what is in sight is drawn. */
export const Conversation = memo(function Conversation({
  sessionRef,
  detail,
  map,
  show,
  isGone,
  target,
  terms,
  onJump,
  onJumpTo,
  onOutside,
  onPlace,
  onEndSeen,
  handle,
  renderPill,
}: Props) {
  const [store] = useState(() => new OpenStore(choicesOf(sessionRef), opensUnder(show)))
  const storeVersion = useSyncExternalStore(store.subscribe, store.version)
  const isToggling = useRecentChange(storeVersion, TOGGLE_MS)
  const [isPaused, setIsPaused] = useState(false)
  const [windowOffset] = useState(() => new WindowOffset())
  const { hasGoneToEnd, hold } = useEndHold(windowOffset)
  const isEndHeld = hasGoneToEnd && !isPaused
  const list = useRef<HTMLDivElement>(null)
  const { messageTotal } = detail
  const messagePages = useMessagePages(sessionRef, show, messageTotal)
  const { pages, total, want } = messagePages

  const rows = useSettledRows(
    useRows(detail, messagePages, map, store),
    messagePages.states.every((state) => state === detail.state),
  )

  const isLoaded = pages.size > 0
  const virtualizer = useRowList({ list, rows, isLoaded, isToggling, isEndHeld, windowOffset })
  const { scrollMargin } = virtualizer.options

  const latestRows = useRef(rows)
  useLayoutEffect(() => {
    latestRows.current = rows
  }, [rows])
  const approachRow = useCallback(
    (key: string, below: number) => {
      const index = latestRows.current.findIndex((row) => row.key === key)
      const top = virtualizer.getOffsetForIndex(Math.max(index, 0), 'start')?.[0] ?? 0
      windowOffset.moveWindow(top - below - window.scrollY)
    },
    [virtualizer, windowOffset],
  )
  const jump = useJump({
    sessionRef,
    show,
    target,
    rows,
    loadedPages: pages,
    store,
    approachRow,
    moveWindow: windowOffset.moveWindow,
    onOutside,
  })

  const items = virtualizer.getVirtualItems()
  const range = virtualizer.range
  const direction = virtualizer.scrollDirection
  useEffect(() => {
    const seen = range === null ? [0] : visiblePages(rows, range, direction)
    want(jump.page === null ? seen : [...new Set([...seen, jump.page])])
  }, [rows, range, direction, jump.page, want])

  const topItem = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + STICKY_PX)
  const viewTop = (virtualizer.scrollOffset ?? 0) + STICKY_PX
  const topOffset = offsetAt(rows, topItem, viewTop)
  const viewBottom = (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0)
  const bottomOffset = offsetAt(rows, virtualizer.getVirtualItemForOffset(viewBottom), viewBottom)
  const place = useMemo(
    () => readingPlace(topOffset, bottomOffset, jump.offset),
    [topOffset, bottomOffset, jump.offset],
  )
  useEffect(() => onPlace(place), [place, onPlace])

  // by its own numbers: to ask the page would lay it out while it is drawn
  const isAtEnd = viewBottom >= scrollMargin + virtualizer.getTotalSize() - AT_END_PX
  // what follows the end draws what has come; else it must be drawn already, which under a filter it may never be
  const isEndSeen = isAtEnd && !isPaused && (hasGoneToEnd || (isLoaded && bottomOffset >= messageTotal - 1))
  useEffect(() => {
    if (isEndSeen && messageTotal > 0) onEndSeen()
  }, [isEndSeen, messageTotal, onEndSeen])
  const pause = useCallback(() => setIsPaused(true), [])
  const follow = useCallback(() => {
    setIsPaused(false)
    hold()
    want([pageOf(Math.max(total - 1, 0))])
    virtualizer.scrollToEnd({ behavior: 'auto' })
  }, [virtualizer, want, total, hold])

  const step = useMessageKeys({ detail, map, rows, store, onJump, onJumpTo, onEnd: follow, place })

  useImperativeHandle(handle, () => ({
    scrollTo: (offset) => {
      const index = Math.max(
        latestRows.current.findLastIndex((row) => firstOffsetOf(row) <= offset),
        0,
      )
      const row = latestRows.current[index]
      const top = virtualizer.getOffsetForIndex(index, 'start')?.[0] ?? 0
      const within =
        row?.kind === 'unloaded' ? (unloadedHeight(row) * Math.max(offset - row.offset, 0)) / row.count : 0
      window.scrollTo({ top: top + within - STICKY_PX, behavior: 'instant' })
    },
    step,
    openThoughts: (messageKeys, isOpen) =>
      store.set(
        messageKeys.map((key) => `${key}/thoughts`),
        isOpen,
      ),
  }))

  const lastKey = rows.at(-1)?.key
  return (
    <OpenStoreContext value={store}>
      {detail.session.buried && <BuriedNotice cause={detail.buriedBy} />}
      {jump.isMissing && (
        <Notice tone="warning">
          The message this link leads to is not in the session. Here is the session itself.
        </Notice>
      )}
      {messagePages.error !== null && !isGone && (
        <Failed
          what="Some messages could not be read."
          error={messagePages.error}
          onRetry={messagePages.retry}
        />
      )}
      {messageTotal === 0 && <p className="conversation-empty">No message was recorded in this session.</p>}
      <div
        ref={list}
        className="conversation"
        data-show={show}
        role="feed"
        aria-label="Conversation"
        aria-busy={!isLoaded && total > 0}
        onKeyDown={stepThroughFeed}
      >
        <div className="conversation-space" style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            return (
              row !== undefined && (
                <div
                  key={item.key}
                  ref={virtualizer.measureElement}
                  data-index={item.index}
                  data-row-key={row.key}
                  className="conversation-row"
                  style={{ top: item.start - scrollMargin }}
                >
                  <ConversationRow
                    row={row}
                    total={messageTotal}
                    isFlashing={row.key === jump.flashingKey}
                    isPending={detail.session.live && row.key === lastKey}
                    terms={target?.messageKey === row.key ? terms : NO_TERMS}
                  />
                </div>
              )
            )
          })}
        </div>
      </div>
      {renderPill({ isAtEnd: isAtEnd && hasGoneToEnd, isPaused, pause, follow })}
    </OpenStoreContext>
  )
})

const NO_TERMS: readonly HitTerm[] = []

/** Under the filter for thoughts they are what is read. */
function opensUnder(show: MessageFilter | undefined): (id: string) => boolean | undefined {
  return (id) => (show === 'thoughts' && id.endsWith('/thoughts') ? true : undefined)
}
