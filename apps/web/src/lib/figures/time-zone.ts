import { keptChoice } from '../browser/kept-choice.ts'

export type ZoneChoice = 'local' | 'utc'

/** In which zone the reader wants times: their own or UTC. */
export const zoneChoice = keptChoice<ZoneChoice>(
  'gemini-dash.time-zone',
  (kept) => (kept === 'utc' ? 'utc' : 'local'),
  (zone) => (zone === 'local' ? null : zone),
)

/** The IANA name of the chosen zone, e.g. `Europe/Vienna`. */
export function timeZone(): string {
  return zoneChoice.get() === 'utc' ? 'UTC' : localTimeZone()
}

/** Asked for once: a page writes hundreds of times, and each answer takes a tenth of a millisecond. */
export function localTimeZone(): string {
  own ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return own
}

let own: string | undefined
