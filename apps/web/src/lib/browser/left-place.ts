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
