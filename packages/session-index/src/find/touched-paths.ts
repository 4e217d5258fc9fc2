import type { NameTable } from '../rows/name-table.ts'

/** A path that calls touched. */
export interface TouchedPath {
  path: string
  /** Messages with such a call. */
  messages: number
}

/** Enough to choose from, however many files there are. */
const MOST_PATHS = 300

/** The paths that hold what was typed, those of most messages first. Case does not matter, and `\` is `/`. */
export function touchedPaths(paths: NameTable, typed: string): TouchedPath[] {
  const text = typed.replaceAll('\\', '/').toLowerCase()
  const { keys, hits } = paths.sums(() => 1)
  const fitting: TouchedPath[] = []
  for (const [index, path] of keys.entries()) {
    if (path.toLowerCase().includes(text)) fitting.push({ path, messages: hits[index] ?? 0 })
  }
  return mostTouched(fitting)
}

/** Each path once, with what all say of it, and the first of the order. */
export function mostTouched(found: readonly TouchedPath[]): TouchedPath[] {
  const sums = new Map<string, number>()
  for (const { path, messages } of found) sums.set(path, (sums.get(path) ?? 0) + messages)
  return [...sums]
    .map(([path, messages]) => ({ path, messages }))
    .sort((a, b) => b.messages - a.messages || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_PATHS)
}
