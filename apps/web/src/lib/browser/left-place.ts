/** Where a reader left a session. */
export interface LeftPlace {
  messageKey: string
  /** How far below the top of the window the message stood, px. */
  top: number
}

const NAME = 'gemini-dash-left-places'
const MAX_PLACES = 50

/** Where the reader was when they were last at the page that they have just come back to; null once it was made use of. */
let returned: LeftPlace | null = null

/** Kept by the tab for each step of its history, so that a reload knows it, too. */
export function keepLeftPlace(visit: string | undefined, place: LeftPlace | null): void {
  if (visit === undefined) return
  const places = readPlaces().filter(([known]) => known !== visit)
  if (place !== null) places.push([visit, place])
  try {
    sessionStorage.setItem(NAME, JSON.stringify(places.slice(-MAX_PLACES)))
  } catch {
    // Not allowed here: the page begins at its top again.
  }
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

function isLeft(kept: unknown): kept is [visit: string, place: LeftPlace] {
  return Array.isArray(kept) && typeof kept[0] === 'string' && typeof kept[1]?.messageKey === 'string'
}

function readPlaces(): [visit: string, place: LeftPlace][] {
  try {
    const places: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? '[]')
    return Array.isArray(places) ? places.filter(isLeft) : []
  } catch {
    return []
  }
}
