import type { ProjectIdentity, Scan } from 'gemini-sessions/node'
import { fingerprint } from './fingerprint.ts'
import type { ScannedGroup } from './group-scan.ts'
import { placesOfProject } from './places-of-project.ts'
import type { NeighbourSource } from './reader/session-source.ts'

/** The prompt logs and saved chats of each project that has any, by id. */
export function neighbourSources(
  scan: Scan,
  projects: readonly ProjectIdentity[],
  groups: readonly ScannedGroup[],
): Map<string, NeighbourSource> {
  const knownIds = new Map<string, Set<string>>()
  for (const { projectKey, heads } of groups) {
    const ids = knownIds.get(projectKey) ?? new Set()
    knownIds.set(projectKey, ids)
    for (const { head } of heads) if (head.sessionId !== null) ids.add(head.sessionId)
  }
  const sources = new Map<string, NeighbourSource>()
  for (const { key } of projects) {
    const own = placesOfProject(scan, projects, key)
    const files = own.flatMap(({ logs, checkpoints }) => [...(logs ? [logs] : []), ...checkpoints])
    if (files.length === 0) continue
    const ids = [...(knownIds.get(key) ?? [])].sort()
    const id = `${key}\nneighbours`
    sources.set(id, {
      kind: 'neighbours',
      id,
      fingerprint: `${fingerprint(files)} ${ids.join(' ')}`,
      places: own,
      projectKey: key,
      knownIds: ids,
    })
  }
  return sources
}
