import { isRawObject } from '../../raw/raw-object.ts'
import { plainText } from '../lift/parts/plain-text.ts'
import { splitContext } from '../lift/prompt/split-context.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { toCallRows } from '../row/row-fields.ts'

/**
 * After an aborted turn (0.57+) the CLI appends the surviving history under new ids and then sets the list to
 * exactly these rows. Marks each with the message that it repeats (contract rule 4a).
 *
 * @returns the originals that live on as copies, or null if the rewrite is not of this kind
 */
export function findCopies(
  listed: readonly LogEntry[],
  recentRows: readonly { entry: LogEntry; isFirst: boolean }[],
  dropped: readonly LogEntry[],
): ReadonlySet<LogEntry> | null {
  const rows = recentRows.slice(recentRows.length - listed.length)
  const isCopying =
    listed.length > 0 &&
    rows.length === listed.length &&
    rows.every((row, index) => row.isFirst && row.entry === listed[index])
  if (!isCopying) return null
  const unmatched = groupByIdentity(dropped)
  const originals = new Set<LogEntry>()
  for (const copy of listed) {
    const identity = toIdentity(copy)
    const original = identity === null ? undefined : unmatched.get(identity)?.pop()
    if (!original) continue
    copy.copyOf = original
    originals.add(original)
  }
  // After the first turn nothing but the context survives, and that repeats no one's words.
  return originals.size > 0 || listed.every((entry) => toIdentity(entry) === null) ? originals : null
}

/** The first of each group stands last, where it is taken off at no cost. */
function groupByIdentity(entries: readonly LogEntry[]): Map<string, LogEntry[]> {
  const groups = new Map<string, LogEntry[]>()
  for (const entry of entries) {
    const identity = toIdentity(entry)
    if (identity === null) continue
    const group = groups.get(identity)
    if (group) group.push(entry)
    else groups.set(identity, [entry])
  }
  for (const group of groups.values()) group.reverse()
  return groups
}

/** Type with call ids or, without calls, with text; null where there is neither: equal emptiness proves nothing. */
function toIdentity(entry: LogEntry): string | null {
  const callIds = toCallIds(entry)
  if (callIds.length > 0) return `${entry.type} calls\n${callIds.join('\n')}`
  const text = splitContext(plainText(entry.content)).rest.trim()
  return text === '' ? null : `${entry.type} text\n${text}`
}

function toCallIds(entry: LogEntry): string[] {
  const ids = new Set<unknown>(toCallRows(entry.toolCalls).map((call) => call.id))
  for (const part of Array.isArray(entry.content) ? entry.content : []) {
    if (!isRawObject(part)) continue
    if (isRawObject(part.functionCall)) ids.add(part.functionCall.id)
    if (isRawObject(part.functionResponse)) ids.add(part.functionResponse.id)
  }
  return [...ids]
    .filter((id) => typeof id === 'string' && id !== '')
    .map(String)
    .sort()
}
