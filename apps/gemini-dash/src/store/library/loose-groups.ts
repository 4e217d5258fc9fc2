import { createHash } from 'node:crypto'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { DiscoveredFile, LooseFiles, ProjectPlace, Scan } from 'gemini-sessions/node'
import { placesOfProject } from '../projects/places-of-project.ts'
import { fingerprint } from './fingerprint.ts'
import type { GroupedScan } from './group-scan.ts'

/**
 * The prompt logs and the saved chats of each project that has any, as groups for the index. Apart, because which
 * prompts are sessions of their own changes with every new session, and chats can be large.
 */
export function looseGroups(scan: Scan, { projects, groups }: GroupedScan): IndexGroup[] {
  const knownIds = new Map<string, Set<string>>()
  for (const { heads } of groups) {
    for (const { head, projectKey } of heads) {
      // What was typed of a session that was moved stands where it was.
      const ids = knownIds.get(projectKey) ?? new Set()
      knownIds.set(projectKey, ids)
      if (head.sessionId !== null) ids.add(head.sessionId)
    }
  }
  return projects.flatMap(({ key }) => {
    const places = placesOfProject(scan, projects, key)
    const ids = [...(knownIds.get(key) ?? [])].sort()
    return [
      ...toGroup(key, {
        kind: 'prompt-logs',
        places: places.filter((place) => typedLogs(place).length > 0),
        projectKey: key,
        knownIds: ids,
      }),
      ...toGroup(key, {
        kind: 'saved-chats',
        places: places.filter(({ checkpoints }) => checkpoints.length > 0),
        projectKey: key,
      }),
    ]
  })
}

function toGroup(projectKey: string, loose: LooseFiles): IndexGroup[] {
  if (loose.places.length === 0) return []
  const files = loose.places.flatMap((place) => filesOf(place, loose.kind))
  const ids = loose.kind === 'prompt-logs' ? loose.knownIds : []
  const stamp = createHash('sha256')
    .update(`${fingerprint(files)} ${ids.join(' ')}`)
    .digest('base64url')
  return [{ id: `${projectKey}\n${loose.kind}`, fingerprint: stamp, files, loose }]
}

function filesOf(place: ProjectPlace, kind: LooseFiles['kind']): DiscoveredFile[] {
  return kind === 'saved-chats' ? place.checkpoints : typedLogs(place)
}

/** What was typed in a folder of a project, kept versions of it included. */
export function typedLogs({ logs, earlierLogs = [] }: ProjectPlace): DiscoveredFile[] {
  return logs === null ? earlierLogs : [logs, ...earlierLogs]
}
