import type { ReactNode } from 'react'

/** Reading position when a session was left. */
export interface LeftPlace {
  messageKey: string
  /** Distance from the top of the window to the message, px. */
  top: number
}

const PLACES = 'gemini-dash-left-places'
const TOPS = 'gemini-dash-left-tops'
const MAX_PLACES = 50

/** The position of the page that the reader just returned to; null once used. */
let returned: LeftPlace | null = null

/** Stored per tab and history entry, so that it survives a reload. */
export function keepLeftPlace(visit: string | undefined, place: LeftPlace | null): void {
  if (visit === undefined) return
  const places = readPlaces().filter(([known]) => known !== visit)
  if (place !== null) places.push([visit, place])
  write(PLACES, places.slice(-MAX_PLACES))
}

/** The reader went to a new page or returned to one. */
export function comeTo(visit: string | undefined, isReturn: boolean): void {
  returned = isReturn ? (readPlaces().find(([known]) => known === visit)?.[1] ?? null) : null
}

export function returnedPlace(): LeftPlace | null {
  return returned
}

/** Can be taken once: later jumps within the page have their own targets. */
export function takeReturnedPlace(): LeftPlace | null {
  const place = returned
  returned = null
  return place
}

/** Scroll positions of pages by history entry. */
export function keepLeftTops(tops: readonly [visit: string | undefined, top: number][]): void {
  write(TOPS, tops.slice(-MAX_PLACES))
}

export function readLeftTops(): [visit: string, top: number][] {
  return read(TOPS, (top): top is number => typeof top === 'number')
}

function readPlaces(): [visit: string, place: LeftPlace][] {
  return read(PLACES, isPlace)
}

function isPlace(place: unknown): place is LeftPlace {
  return (
    typeof place === 'object' &&
    place !== null &&
    'messageKey' in place &&
    typeof place.messageKey === 'string'
  )
}

/** Reads the stored entries and drops invalid ones. */
function read<Kept>(name: string, isKept: (kept: unknown) => kept is Kept): [visit: string, kept: Kept][] {
  try {
    const all: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]')
    const isOurs = (one: unknown): one is [string, Kept] =>
      Array.isArray(one) && typeof one[0] === 'string' && isKept(one[1])
    return Array.isArray(all) ? all.filter(isOurs) : []
  } catch {
    return []
  }
}

function write(name: string, kept: readonly unknown[]): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(kept))
  } catch {
    // Storage is disabled: the page starts at its top again.
  }
}

/**
 * After this long without a change, late heights (pictures, highlighted code) have arrived: on a busy machine frames alone prove little.
 */
const STILL_FRAMES = 45
const STILL_MS = 1_000
const GIVE_UP_MS = 10_000

/** Any of these means that the reader took over. */
const READER_EVENTS = ['wheel', 'touchmove', 'mousedown', 'keydown'] as const

interface Correction {
  /** Corrects the scroll position; returns false if it was already right. */
  correct: () => boolean
  onArrived?: () => void
}

/**
 * Corrects the scroll position in every frame until the content has its final heights. Stops as soon as the reader scrolls. Returns a
 * function that stops it.
 */
export function keepCorrecting({ correct, onArrived }: Correction): () => void {
  let startTime: number | null = null
  let stillSince = 0
  let stillFrames = 0
  let hasArrived = false
  let handle = requestAnimationFrame(step)

  function step(now: number) {
    if (startTime === null) {
      startTime = now
      // not earlier: the key or click that started this is still being dispatched
      for (const name of READER_EVENTS) window.addEventListener(name, stop, { passive: true })
    }
    if (correct()) {
      stillSince = now
      stillFrames = 0
    } else {
      stillFrames += 1
    }
    if (!hasArrived && stillFrames > 1) {
      hasArrived = true
      onArrived?.()
    }
    const isSettled = stillFrames >= STILL_FRAMES && now - stillSince >= STILL_MS
    if (isSettled || now - startTime >= GIVE_UP_MS) stop()
    else handle = requestAnimationFrame(step)
  }

  function stop() {
    cancelAnimationFrame(handle)
    for (const name of READER_EVENTS) window.removeEventListener(name, stop)
  }
  return stop
}

/** The open session's find: the session provides hits, the palette input provides the words. */
export interface SessionFind {
  sessionKey: string
  /** The search text; undefined before the first search. */
  q: string | undefined
  /** Number of hits and current position; '' without a search or before its answer. */
  countText: string
  hasHits: boolean
  /** Why the search failed. */
  failure: ReactNode
  look: (q: string) => void
  step: (by: 1 | -1) => void
  /** Moves the focus to the current hit, or to what had it before. */
  end: (before: Element | null) => void
}

let current: SessionFind | null = null
const listeners = new Set<() => void>()

/** null if no conversation is open. Read through `useSyncExternalStore`. */
export const sessionFind = {
  get: () => current,
  set(next: SessionFind | null) {
    current = next
    for (const notify of listeners) notify()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
