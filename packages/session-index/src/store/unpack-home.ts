import { TimeSlice } from 'gemini-sessions/node'
import type { StoredGroup, StoredHome } from '../contract.ts'
import type { SqlRow } from '../driver.ts'
import { NOT_READ, type PackedHome, toEnds } from './stored-home.ts'

// Separate from what a thread of the index loads at start: its clock comes with the whole library.

/** In slices: ten thousand sessions take a second. */
export async function unpackHome({ folders, groups, files, sessions }: PackedHome): Promise<StoredHome> {
  const stored = new Map(groups.map((row) => [String(row.id), toGroup(row)]))
  const slice = new TimeSlice()
  for (const row of files) {
    if (slice.isOver()) await slice.next()
    const id = String(row.group_id)
    const group = stored.get(id) ?? toGroup({ id, fingerprint: NOT_READ, claims: null })
    stored.set(id, group)
    group.kind = kindOf(row)
    group.files.push(toEnds(row))
  }
  for (const { group_id: id, record } of sessions) {
    if (slice.isOver()) await slice.next()
    stored.get(String(id))?.sessions.push(JSON.parse(String(record)))
  }
  return { folders, groups: [...stored.values()] }
}

/** A group that was read while some of its files were unreadable contains no more than their heads. */
function toGroup({ id, fingerprint, claims }: SqlRow): StoredGroup {
  return {
    id: String(id),
    fingerprint: fingerprint === NOT_READ ? null : String(fingerprint),
    kind: 'session',
    files: [],
    ...(typeof claims === 'string' && { claims: JSON.parse(claims) }),
    sessions: [],
  }
}

function kindOf({ kind }: SqlRow): StoredGroup['kind'] {
  return kind === 'prompts' || kind === 'chat' || kind === 'conversation' ? kind : 'session'
}
