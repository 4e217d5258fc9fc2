import type { ExportFormat } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'

type Named = Pick<SessionSummary, 'key' | 'title' | 'startTime'>

const ENDINGS: Readonly<Record<Exclude<ExportFormat, 'raw'>, string>> = {
  markdown: '.md',
  html: '.html',
  json: '.json',
  jsonl: '.jsonl',
  csv: '.csv',
  vac: '.vac.json',
}
const MAX_TITLE_LETTERS = 48

/**
 * A name for each session, by its key: when it began, what it is about, its key. Of the session alone, so the next export
 * gives the same; where a system that does not tell `a` from `A` would take two for one, the later key gets a number.
 */
export function exportNames(sessions: readonly Named[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const names = new Map<string, string>()
  const byKey = sessions.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  for (const session of byKey) {
    const base = exportName(session)
    let name = base
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base}-${number}`
    taken.add(name.toLowerCase())
    names.set(session.key, name)
  }
  return names
}

/** Begins with a digit or with `session`, so no system takes it for a device; letters and digits of any script. */
export function exportName({ key, title, startTime }: Named): string {
  const words = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  const short = [...words].slice(0, MAX_TITLE_LETTERS).join('').replace(/-+$/, '').toLowerCase()
  const day = startTime === null ? 'session' : startTime.slice(0, 10)
  return [day, short, key].filter((part) => part !== '').join('-')
}

export function endingOf(format: Exclude<ExportFormat, 'raw'>): string {
  return ENDINGS[format]
}
