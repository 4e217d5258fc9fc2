import type { ReactNode } from 'react'

/** Where a reader left a session. */
export interface LeftPlace {
  messageKey: string
  /** How far below the top of the window the message stood, px. */
  top: number
}

const PLACES = 'gemini-dash-left-places'
const TOPS = 'gemini-dash-left-tops'
const MAX_PLACES = 50

/** Where the reader was when they were last at the page that they have just come back to; null once it was made use of. */
let returned: LeftPlace | null = null

/** Kept by the tab for each step of its history, so that a reload knows it, too. */
export function keepLeftPlace(visit: string | undefined, place: LeftPlace | null): void {
  if (visit === undefined) return
  const places = readPlaces().filter(([known]) => known !== visit)
  if (place !== null) places.push([visit, place])
  write(PLACES, places.slice(-MAX_PLACES))
}

/** The reader has gone to another page, or come back to one. */
export function comeTo(visit: string | undefined, isReturn: boolean): void {
  returned = isReturn ? (readPlaces().find(([known]) => known === visit)?.[1] ?? null) : null
}

export function returnedPlace(): LeftPlace | null {
  return returned
}

/** For who goes there: later ways within the page are ways of their own. */
export function takeReturnedPlace(): LeftPlace | null {
  const place = returned
  returned = null
  return place
}

/** How far down the pages were, by the steps of the tab's history. */
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

/** What the tab kept of each visit, without what is nothing of ours. */
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
    // Not allowed here: the page begins at its top again.
  }
}

/** Stillness that shows that late heights (pictures, coloured code) have come: on a busy machine frames alone say little. */
const STILL_FRAMES = 45
const STILL_MS = 1_000
const GIVE_UP_MS = 10_000

/** Whatever the reader does by hand ends it. */
const READER_EVENTS = ['wheel', 'touchmove', 'mousedown', 'keydown'] as const

interface Correction {
  /** Puts the window right; false when it was right already. */
  correct: () => boolean
  onArrived?: () => void
}

/**
 * Puts the window right in every frame until its content has its heights. Ends at once when the reader scrolls.
 * Returns the function that ends it.
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
      // not before: the key or click that asked for this is still on its way to the window
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

/** The find of the session that is open: the session has its hits, the one box its words. */
export interface SessionFind {
  sessionKey: string
  /** What is looked for; undefined: nothing yet. */
  q: string | undefined
  /** How much was found and where in it the reader is; '' where nothing is looked for, or the answer is not here yet. */
  countText: string
  hasHits: boolean
  /** Why the hits are not known, where asking failed. */
  failure: ReactNode
  look: (q: string) => void
  step: (by: 1 | -1) => void
  /** Reading goes on where the find led, or at what had the focus before. */
  end: (before: Element | null) => void
}

let current: SessionFind | null = null
const listeners = new Set<() => void>()

/** null: no conversation is open. Read through `useSyncExternalStore`. */
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
