import type { LogEntry } from './log-entry.ts'

/**
 * The order in which messages are drawn (contract rule 2): live ones in the CLI's order, each superseded one
 * directly after the message recorded before it, or first.
 *
 * @param recorded everything, in order of its first record
 */
export function place(recorded: readonly LogEntry[], live: readonly LogEntry[]): LogEntry[] {
  const isLive = new Set(live)
  /** Superseded entries by the entry they follow; several after one stand in chains. */
  const followers = new Map<LogEntry | null, LogEntry>()
  let previous: LogEntry | null = null
  for (const entry of recorded) {
    if (!isLive.has(entry)) followers.set(previous, entry)
    previous = entry
  }
  const placed: LogEntry[] = []
  const pushWithFollowers = (entry: LogEntry | null) => {
    if (entry) placed.push(entry)
    for (let next = followers.get(entry); next; next = followers.get(next)) placed.push(next)
  }
  pushWithFollowers(null)
  for (const entry of live) pushWithFollowers(entry)
  return placed
}
