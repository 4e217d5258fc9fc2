import { keptChoice } from '../browser/kept-choice.ts'
import { findZone } from './zone-names.ts'

export type ZoneChoice = 'own' | 'utc'

/** In which zone the reader wants times: their own or UTC. */
export const zoneChoice = keptChoice<ZoneChoice>(
  'gemini-dash.time-zone',
  (kept) => (kept === 'utc' ? 'utc' : 'own'),
  (zone) => (zone === 'own' ? null : zone),
)

/** Which zone is the reader's own; null: that of the computer, also where what was kept is no zone that this browser knows. */
export const chosenZone = keptChoice<string | null>(
  'gemini-dash.own-zone',
  (kept) => (kept === null ? null : findZone(kept)),
  (zone) => zone,
)

/** The IANA name of the chosen zone, e.g. `Europe/Vienna`. */
export function timeZone(): string {
  return zoneChoice.get() === 'utc' ? 'UTC' : ownTimeZone()
}

/** Read through `useSyncExternalStore`, with `timeZone`. */
export function onZoneChange(listener: () => void): () => void {
  const stops = [zoneChoice, chosenZone].map(({ subscribe }) => subscribe(listener))
  return () => {
    for (const stop of stops) stop()
  }
}

/** That of the reader, whether or not times are shown in it. */
export function ownTimeZone(): string {
  return chosenZone.get() ?? localTimeZone()
}

/** That of the computer. Asked for once: a page writes hundreds of times, and each answer takes a tenth of a millisecond. */
export function localTimeZone(): string {
  local ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return local
}

let local: string | undefined
