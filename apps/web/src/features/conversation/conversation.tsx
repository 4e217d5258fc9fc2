import './conversation.css'
import type { MessageFilter, SessionDetail, SessionMap } from '@gemini-dash/api'
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
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
import type { HitTerm } from '../../content/hit-context.ts'
import { Failed } from '../../ui/failed.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ConversationHandle } from './conversation-handle.ts'
import { BuriedNotice } from './lead/buried-notice.tsx'
import { ConversationRow } from './list/conversation-row.tsx'
import { estimateRowHeight, unloadedHeight } from './list/estimate-row-height.ts'
import type { JumpTarget } from './list/jump-target.ts'
import { pageOf } from './list/page-size.ts'
import { type ReadingPlace, readingPlace } from './list/reading-place.ts'
import { stepThroughFeed } from './list/step-through-feed.ts'
import { useArrivals } from './list/use-arrivals.ts'
import { useHeldPlace } from './list/use-held-place.ts'
import { useJump } from './list/use-jump.ts'
import { useMessageKeys } from './list/use-message-keys.ts'
import { useMessagePages } from './list/use-message-pages.ts'
import { useOverscan } from './list/use-overscan.ts'
import { usePinnedRows } from './list/use-pinned-rows.ts'
import { useRecentChange } from './list/use-recent-change.ts'
import { useScrollMargin } from './list/use-scroll-margin.ts'
import { visiblePages } from './list/visible-pages.ts'
import { WindowOffset } from './list/window-offset.ts'
import { OpenStore, OpenStoreContext } from './open-store.ts'
import type { Row } from './rows/row.ts'
import { useRows } from './rows/use-rows.ts'
import { useSettledRows } from './rows/use-settled-rows.ts'

/** How the end of the list is followed. */
export interface Following {
  /** Messages that came while the reader was elsewhere. */
  arrivals: number
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
  handle: RefObject<ConversationHandle | null>
  renderPill: (following: Following) => ReactNode
}

/** Nearer to the end than this, new messages are followed. */
const AT_END_PX = 64
/** What the bars at the top of the window cover. */
const STICKY_PX = 96
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
  handle,
  renderPill,
}: Props) {
  const [store] = useState(() => new OpenStore(opensUnder(show)))
  const storeVersion = useSyncExternalStore(store.subscribe, store.version)
  const isToggling = useRecentChange(storeVersion, TOGGLE_MS)
  const [isPaused, setIsPaused] = useState(false)
  const [windowOffset] = useState(() => new WindowOffset())
  const list = useRef<HTMLDivElement>(null)
  const scrollMargin = useScrollMargin(list, windowOffset)
  const messagePages = useMessagePages(sessionRef, show, detail.messageTotal)
  const { pages, total, want } = messagePages

  const rows = useSettledRows(
    useRows(detail, messagePages, map, store),
    messagePages.states.every((state) => state === detail.state),
  )

  const pinnedKeys = usePinnedRows(list)
  const pinned = useMemo(() => {
    const keys = new Set(pinnedKeys)
    return rows.flatMap((row, index) => (keys.has(row.key) ? [index] : []))
  }, [rows, pinnedKeys])

  const isLoaded = pages.size > 0
  const overscan = useOverscan(isLoaded)
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows.length,
    estimateSize: (index) => estimateRowHeight(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan,
    scrollMargin,
    observeElementOffset: windowOffset.observe,
    scrollToFn: windowOffset.scroll,
    anchorTo: isToggling ? 'start' : 'end',
    followOnAppend: isLoaded && !isToggling && !isPaused && rows.length > 1,
    // nothing is this near to the end: paused, not even a last row that gets its real height is followed
    scrollEndThreshold: isPaused ? -1 : AT_END_PX,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(startIndex - overscan, 0)
      const last = Math.min(endIndex + overscan, count - 1)
      const indexes = new Set(
        Array.from({ length: Math.max(last - first + 1, 0) }, (_, step) => first + step),
      )
      for (const index of pinned) if (index < count) indexes.add(index)
      return [...indexes].sort((one, other) => one - other)
    },
  })

  useHeldPlace(virtualizer, rows, windowOffset)

  const latestRows = useRef(rows)
  useLayoutEffect(() => {
    latestRows.current = rows
  }, [rows])
  const approachRow = useCallback(
    (key: string) => {
      const index = latestRows.current.findIndex((row) => row.key === key)
      const top = virtualizer.getOffsetForIndex(Math.max(index, 0), 'start')?.[0] ?? 0
      windowOffset.moveWindow(top - window.innerHeight / 3 - window.scrollY)
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
  const arrivals = useArrivals(total, isAtEnd && !isPaused)
  const pause = useCallback(() => setIsPaused(true), [])
  const follow = useCallback(() => {
    setIsPaused(false)
    want([pageOf(Math.max(total - 1, 0))])
    virtualizer.scrollToEnd({ behavior: 'auto' })
  }, [virtualizer, want, total])

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
      {detail.messageTotal === 0 && (
        <p className="conversation-empty">No message was recorded in this session.</p>
      )}
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
                    total={detail.messageTotal}
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
      {renderPill({ arrivals, isAtEnd, isPaused, pause, follow })}
    </OpenStoreContext>
  )
})

const NO_TERMS: readonly HitTerm[] = []

/** Under the filter for thoughts they are what is read. */
function opensUnder(show: MessageFilter | undefined): (id: string) => boolean | undefined {
  return (id) => (show === 'thoughts' && id.endsWith('/thoughts') ? true : undefined)
}

/** Place of the message at a height of the list; within a page that is on its way, by its share. */
function offsetAt(rows: readonly Row[], item: VirtualItem | undefined, height: number): number {
  const row = rows[item?.index ?? 0]
  if (row === undefined) return 0
  if (row.kind !== 'unloaded' || item === undefined || item.size === 0) return firstOffsetOf(row)
  const share = Math.min(Math.max((height - item.start) / item.size, 0), 1)
  return row.offset + Math.floor(share * (row.count - 1))
}

function firstOffsetOf(row: Row): number {
  return row.kind === 'fold'
    ? (row.fold.branch?.firstOffset ?? row.fold.messages[0]?.offset ?? 0)
    : row.offset
}
