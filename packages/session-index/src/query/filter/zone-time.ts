// Clock times of an IANA zone. A wall clock is written as the UTC time (in ms) that shows the same hands.

/** The moment at which a zone's clocks show this. Where they skip it, the moment of the jump counts as reached. */
export function momentOfClock(clockMs: number, zone: string): number {
  // The zone's offset near that time; asked twice, for the day on which the clocks change.
  const guess = clockMs - offsetMs(clockMs, zone)
  return clockMs - offsetMs(guess, zone)
}

export function clockAt(momentMs: number, zone: string): number {
  return momentMs + offsetMs(momentMs, zone)
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function offsetMs(momentMs: number, zone: string): number {
  let formatter = formatters.get(zone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    })
    formatters.set(zone, formatter)
  }
  const parts = formatter.formatToParts(momentMs)
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const year = parts.some(({ type, value }) => type === 'era' && value === 'BC')
    ? 1 - value('year')
    : value('year')
  const clock = new Date(0)
  clock.setUTCFullYear(year, value('month') - 1, value('day'))
  clock.setUTCHours(value('hour'), value('minute'), value('second'))
  return clock.getTime() - Math.floor(momentMs / 1000) * 1000
}
