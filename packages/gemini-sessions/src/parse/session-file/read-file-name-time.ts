/**
 * The UTC time in a session file's name, or null. Two forms: the minute of the file's creation
 * (`session-2026-11-21T20-30-7ff5e7ae.json`) and epoch milliseconds of an imported session (0.43+).
 */
export function readFileNameTime(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const minute = /^session-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)(?=-|\.|$)/.exec(name)
  if (minute) {
    const [, year, month, day, hours, minutes] = minute
    return toUtc(Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:00.000Z`))
  }
  const epoch = /^session-(\d{12,14})(?=-|\.|$)/.exec(name)
  return epoch ? toUtc(Number(epoch[1])) : null
}

function toUtc(timeMs: number): string | null {
  return Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : null
}
