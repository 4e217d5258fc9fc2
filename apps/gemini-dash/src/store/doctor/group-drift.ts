import type { Doctor } from '@gemini-dash/api'
import { driftPlaces, OTHER_NAMES } from 'gemini-sessions'
import type { ExaminedSession } from './facts/examined-session.ts'

type Drift = Doctor['drift'][number]

/** Different names over all sessions; the rarest beyond are counted together, place by place. */
const MOST_NAMES = 200

/** What no known version of the CLI writes, over all sessions, the most frequent first. */
export function groupDrift(sessions: readonly ExaminedSession[]): Drift[] {
  const found = new Map<string, Drift>()
  for (const { summary, record } of sessions) {
    for (const { where, name, at, count, file } of record.drift) {
      const example = at === '' ? file : `${file}, ${at}`
      const meaning = driftPlaces[where]
      add(found, { where, name, count, example, meaning, sessions: 1, sessionKey: summary.key })
    }
  }
  return bound([...found.values()].sort(mostFrequentFirst))
}

function bound(drift: Drift[]): Drift[] {
  if (drift.length <= MOST_NAMES) return drift
  const kept = new Map<string, Drift>()
  for (const [index, note] of drift.entries()) {
    add(kept, index < MOST_NAMES ? note : { ...note, name: OTHER_NAMES })
  }
  return [...kept.values()].sort(mostFrequentFirst)
}

function add(found: Map<string, Drift>, note: Drift): void {
  const identity = `${note.where}\n${note.name}`
  const known = found.get(identity)
  if (known === undefined) found.set(identity, { ...note })
  else {
    known.count += note.count
    known.sessions += note.sessions
  }
}

function mostFrequentFirst(a: Drift, b: Drift): number {
  return b.count - a.count || (a.where + a.name < b.where + b.name ? -1 : 1)
}
