import type { MessageFilter } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import {
  observeWindowOffset,
  type Range,
  useWindowVirtualizer,
  type Virtualizer,
  windowScroll,
} from '@tanstack/react-virtual'
import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { messagesQuery } from '../../api/session.ts'
import { keepCorrecting } from '../../lib/left-place.ts'
import { useKeptCalls, useOverscan } from '../../lib/list-hooks.ts'
import { offsetAt } from './build-rows.ts'
import { estimateRowHeight } from './conversation-feed.tsx'
import { type MessagePages, PAGE_SIZE, pageOf } from './feed.ts'
import { type ReadingPlace, readingPlace } from './jump.ts'
import type { Row } from './row.ts'
import { STICKY_PX } from './stop-in-sight.ts'

const OVERSCAN = 8
/** How long after a page arrives the visible rows are kept in place while those above get their heights. */
const HOLD_MS = 500
/** Each row takes time to render, which a jump cannot wait for. */
const LEAP_OVERSCAN = 1

interface RowListOptions {
  list: RefObject<HTMLDivElement | null>
  rows: readonly Row[]
  /** Some messages have loaded. */
  isLoaded: boolean
  /** The reader has just opened or closed something. */
  isToggling: boolean
  /** New messages at the end are followed. */
  isEndHeld: boolean
  /** The visible rows are about to be drawn for the first time. */
  isLeaping: boolean
  windowOffset: WindowOffset
}

/** Which rows are drawn, and where: the visible ones, their neighbors, and those with the focus or a selection. */
export function useRowList(options: RowListOptions): Virtualizer<Window, HTMLDivElement> {
  const { list, rows, isLoaded, isToggling, isEndHeld, isLeaping, windowOffset } = options
  const scrollMargin = useScrollMargin(list, windowOffset)
  const overscan = useOverscan(isLoaded, OVERSCAN)
  const pinnedKeys = usePinnedRows(list)
  const pinned = useMemo(() => {
    const keys = new Set(pinnedKeys)
    return rows.flatMap((row, index) => (keys.has(row.key) ? [index] : []))
  }, [rows, pinnedKeys])
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows.length,
    estimateSize: (index) => estimateRowHeight(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: isLeaping ? LEAP_OVERSCAN : overscan,
    scrollMargin,
    // draws rows together with the list instead of after measuring the window
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    observeElementOffset: windowOffset.observe,
    scrollToFn: windowOffset.scroll,
    anchorTo: isToggling ? 'start' : 'end',
    followOnAppend: isLoaded && !isToggling && isEndHeld && rows.length > 1,
    // never near the end unless it is followed: otherwise even a last row getting its real height would be followed
    scrollEndThreshold: isEndHeld ? AT_END_PX : -1,
    rangeExtractor: (range) => drawnIndexes(range, pinned),
  })
  useHeldPlace(virtualizer, rows, windowOffset)
  return virtualizer
}

function drawnIndexes({ startIndex, endIndex, overscan, count }: Range, pinned: readonly number[]): number[] {
  const first = Math.max(startIndex - overscan, 0)
  const last = Math.min(endIndex + overscan, count - 1)
  const indexes = new Set(Array.from({ length: Math.max(last - first + 1, 0) }, (_, step) => first + step))
  for (const index of pinned) if (index < count) indexes.add(index)
  return [...indexes].sort((one, other) => one - other)
}

/** Distance from the top of the document to the list; content above may still grow. */
function useScrollMargin(list: RefObject<HTMLElement | null>, windowOffset: WindowOffset): number {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current === null) return
      const measured = Math.round(list.current.getBoundingClientRect().top + window.scrollY)
      windowOffset.moveList(measured)
      setMargin(measured)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list, windowOffset])
  return margin
}

/** Keys of the rows with the focus or the selection: they stay drawn, however far the reader scrolls. */
function usePinnedRows(container: RefObject<HTMLElement | null>): readonly string[] {
  const [pinned, setPinned] = useState<readonly string[]>([])
  useEffect(() => {
    function update() {
      const element = container.current
      if (element === null) return
      const selection = document.getSelection()
      // includes a collapsed selection: a distant Shift-click extends it
      const nodes = [document.activeElement, selection?.anchorNode ?? null, selection?.focusNode ?? null]
      const keys = [...new Set(nodes.flatMap((node) => rowKeyOf(node, element) ?? []))]
      setPinned((current) => (current.join('\n') === keys.join('\n') ? current : keys))
    }
    document.addEventListener('selectionchange', update)
    document.addEventListener('focusin', update)
    document.addEventListener('focusout', update)
    return () => {
      document.removeEventListener('selectionchange', update)
      document.removeEventListener('focusin', update)
      document.removeEventListener('focusout', update)
    }
  }, [container])
  return pinned
}

function rowKeyOf(node: Node | null, container: HTMLElement): string | null {
  const element = node instanceof Element ? node : node?.parentElement
  if (!element || !container.contains(element)) return null
  return element.closest<HTMLElement>('[data-row-key]')?.dataset.rowKey ?? null
}

/** A drawn row and its distance from the top of the list, px. */
interface Drawn {
  key: unknown
  top: number
}

/**
 * Keeps the scroll position when a placeholder is replaced by the rows of its page. The list itself anchors the row at the top of the
 * window; if that is the placeholder, this anchors the rows below it.
 */
function useHeldPlace(
  list: Virtualizer<Window, HTMLDivElement>,
  rows: readonly Row[],
  windowOffset: WindowOffset,
): void {
  // scroll position in the list before these rows: the list may change it when they are drawn
  const into = windowOffset.seen - list.options.scrollMargin
  const before = useRef<{ rows: readonly Row[]; drawn: readonly Drawn[] }>({ rows, drawn: [] })
  const holding = useRef<{ key: unknown; inWindow: number; untilMs: number } | null>(null)
  useEffect(() => {
    // scrolling releases the anchor
    const letGo = () => {
      holding.current = null
    }
    const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const input of inputs) window.addEventListener(input, letGo, { passive: true })
    return () => {
      for (const input of inputs) window.removeEventListener(input, letGo)
    }
  }, [])
  useLayoutEffect(() => {
    const { rows: rowsBefore, drawn } = before.current
    const { scrollMargin } = list.options
    const items = list.getVirtualItems()
    before.current = { rows, drawn: items.map(({ key, start }) => ({ key, top: start - scrollMargin })) }
    const placeOf = (key: unknown) => rows.findIndex((row) => row.key === key)
    // visible rows above it are measured only once drawn
    const { current: held } = holding
    if (held !== null && performance.now() < held.untilMs) {
      const { start } = list.measurementsCache[placeOf(held.key)] ?? {}
      const by = start === undefined ? 0 : start - held.inWindow - window.scrollY
      if (Math.abs(by) >= 1) windowOffset.moveWindow(by)
    }
    if (rowsBefore === rows) return
    const first = drawn.findLast(({ top }) => top <= into)
    if (first === undefined || placeOf(first.key) !== -1) return
    const isRead = ({ top }: Drawn) => top > into && top < into + window.innerHeight
    const read = drawn.find((row) => isRead(row) && placeOf(row.key) !== -1)
    if (read === undefined) return
    const { start } = list.measurementsCache[placeOf(read.key)] ?? { start: scrollMargin + read.top }
    const inWindow = read.top - into
    holding.current = { key: read.key, inWindow, untilMs: performance.now() + HOLD_MS }
    windowOffset.moveWindow(start - inWindow - window.scrollY)
  })
}

/** Closer to the end than this, new messages are followed. */
const AT_END_PX = 64

/** Each step draws rows whose heights were only estimates. */
const MAX_STEPS = 8

/** Closer ends are loaded before the reader gets there. */
const FAR_PAGES = 3
const AT_HAND_DELAY_MS = 600

interface EndHold {
  /** The reader went to the end: it is followed from then on while they are near it. */
  hasGoneToEnd: boolean
  /** Follows the end from now on. */
  hold: () => void
}

/** A short session opens at its end; following it right away would scroll its title out of view. */
export function useEndHold(windowOffset: WindowOffset, isEndKnown: boolean): EndHold {
  const [hasGoneToEnd, setGone] = useState(false)
  const hold = useCallback(() => setGone(true), [])
  useEffect(
    () => (isEndKnown ? windowOffset.listen(() => isNearEnd() && setGone(true)) : undefined),
    [windowOffset, isEndKnown],
  )
  return { hasGoneToEnd, hold }
}

function isNearEnd(): boolean {
  return document.documentElement.scrollHeight - window.innerHeight - window.scrollY <= AT_END_PX
}

interface WayToEnd {
  sessionRef: string
  show: MessageFilter | undefined
  messagePages: Pick<MessagePages, 'pages' | 'total' | 'failure'>
  windowOffset: WindowOffset
  /** Until then a request to go to the end is queued. */
  isEndKnown: boolean
  /** From then on the end is followed. */
  onGo: () => void
}

/** Jumps to the end in one step once its messages are loaded, so that nothing in between is loaded or drawn. */
export function useWayToEnd(way: WayToEnd) {
  const { sessionRef, show, messagePages, windowOffset, isEndKnown, onGo } = way
  const { pages, total, failure } = messagePages
  const lastPage = pageOf(Math.max(total - 1, 0))
  useEndAtHand(sessionRef, show, isEndKnown ? lastPage : 0)
  const [isGoing, setIsGoing] = useState(false)
  const endSettling = useRef<() => void>(() => undefined)
  const take = useKeptCalls<null>(isEndKnown, () => {
    onGo()
    setIsGoing(true)
  })
  const canGo = isGoing && (pages.has(lastPage) || total === 0 || failure !== null)
  useEffect(() => {
    if (!canGo) return
    setIsGoing(false)
    endSettling.current()
    endSettling.current = settleAtEnd(windowOffset)
  }, [canGo, windowOffset])
  useEffect(() => () => endSettling.current(), [])
  return { page: isGoing ? lastPage : null, go: () => take(null) }
}

/** Most readers of a long session go to the end next: it is prefetched once nothing else is loading. */
function useEndAtHand(sessionRef: string, show: MessageFilter | undefined, lastPage: number): void {
  const client = useQueryClient()
  useEffect(() => {
    if (lastPage < FAR_PAGES) return
    const timer = setTimeout(() => {
      const window = { offset: lastPage * PAGE_SIZE, limit: PAGE_SIZE, show }
      void client.prefetchQuery(messagesQuery(sessionRef, window))
    }, AT_HAND_DELAY_MS)
    return () => clearTimeout(timer)
  }, [client, sessionRef, show, lastPage])
}

/** Stays at the end until the content has its heights or the reader scrolls away. */
function settleAtEnd(windowOffset: WindowOffset): () => void {
  let top = 0
  let isLeft = false
  return keepCorrecting({
    correct: () => {
      // shrinking content moves the window but keeps the end in view
      isLeft ||= window.scrollY < top - 1 && !isNearEnd()
      const hasMoved = !isLeft && moveToEnd(windowOffset)
      top = window.scrollY
      return hasMoved
    },
  })
}

/** Newly visible rows are drawn and measured in the same frame. Returns false if it was already there. */
function moveToEnd(windowOffset: WindowOffset): boolean {
  const before = window.scrollY
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const distance = document.documentElement.scrollHeight - window.innerHeight - window.scrollY
    if (Math.abs(distance) <= 1) break
    flushSync(() => windowOffset.moveWindow(distance))
  }
  return Math.abs(window.scrollY - before) > 1
}

type List = Virtualizer<Window, HTMLDivElement>
type Options = Required<List['options']>

/**
 * Keeps the list's idea of the scroll offset current between scroll events. The list corrects for heights by writing an absolute offset:
 * one computed before a jump, or before the browser anchored the content under a growing header, would undo that move.
 */
export class WindowOffset {
  #list: List | null = null
  #tell: ((offset: number, isScrolling: boolean) => void) | null = null
  #seen = 0
  #onReaderDown: (() => void) | null = null

  /** The window's position when the list was last notified, px. */
  get seen(): number {
    return this.#seen
  }

  readonly observe: Options['observeElementOffset'] = (list, tell) => {
    this.#list = list
    this.#seen = window.scrollY
    this.#tell = (offset, isScrolling) => {
      // the page's own scrolling is known here before its event arrives
      const isReaderDown = isScrolling && offset > this.#seen + 1
      this.#seen = offset
      tell(offset, isScrolling)
      if (isReaderDown) this.#onReaderDown?.()
    }
    return observeWindowOffset(list, this.#tell)
  }

  /** Calls back whenever the reader, not the page, scrolls down. Returns a function that stops it. */
  listen(onReaderDown: () => void): () => void {
    this.#onReaderDown = onReaderDown
    return () => {
      this.#onReaderDown = null
    }
  }

  readonly scroll: Options['scrollToFn'] = (offset, options, list) => {
    windowScroll(offset, options, list)
    this.#seen = window.scrollY
  }

  /** Scrolls the window by `distance` px; the list immediately requests a render with the newly visible rows. */
  readonly moveWindow = (distance: number): void => {
    window.scrollBy({ top: distance, behavior: 'instant' })
    this.#tell?.(window.scrollY, false)
  }

  /**
   * The list moved within the document and the browser anchored the content. Notified separately: together with new rows, the list would
   * anchor a second time.
   */
  moveList(scrollMargin: number): void {
    const list = this.#list
    if (list === null || list.options.scrollMargin === scrollMargin) return
    this.#tell?.(window.scrollY, false)
    list.setOptions({ ...list.options, scrollMargin })
  }
}

interface Sight {
  place: ReadingPlace
  /** Of the last message in the window. */
  bottomOffset: number
  isAtEnd: boolean
}

/** What part of the session is in the window. `aim`: the last message jumped to. */
export function useSight(
  virtualizer: Virtualizer<Window, HTMLDivElement>,
  rows: readonly Row[],
  aim: number | null,
): Sight {
  const viewTop = (virtualizer.scrollOffset ?? 0) + STICKY_PX
  const topOffset = offsetAt(rows, virtualizer.getVirtualItemForOffset(viewTop), viewTop)
  const viewBottom = (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0)
  const bottomOffset = offsetAt(rows, virtualizer.getVirtualItemForOffset(viewBottom), viewBottom)
  const place = useMemo(() => readingPlace(topOffset, bottomOffset, aim), [topOffset, bottomOffset, aim])
  // from its own numbers: asking the DOM would force a layout during rendering
  const end = virtualizer.options.scrollMargin + virtualizer.getTotalSize()
  return { place, bottomOffset, isAtEnd: viewBottom >= end - AT_END_PX }
}

export interface Leap {
  /** True from a jump until the visible rows are drawn: overscan rows are drawn later. */
  isLeaping: boolean
  /** Scrolls the window by `distance` px, possibly to rows that are not drawn yet. */
  leapBy: (distance: number) => void
}

export function useLeap(windowOffset: WindowOffset): Leap {
  const [isLeaping, setIsLeaping] = useState(false)
  useEffect(() => {
    if (isLeaping) startTransition(() => setIsLeaping(false))
  }, [isLeaping])
  const leapBy = useCallback(
    (distance: number) => {
      if (Math.abs(distance) > window.innerHeight) setIsLeaping(true)
      windowOffset.moveWindow(distance)
    },
    [windowOffset],
  )
  return { isLeaping, leapBy }
}
