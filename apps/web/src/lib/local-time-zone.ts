/** The reader's IANA zone, e.g. `Europe/Vienna`. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
