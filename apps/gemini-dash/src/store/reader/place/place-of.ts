import type { Catalog } from '../../catalog/catalog.ts'
import type { SessionPlace } from './session-place.ts'

/** What a reader is told of a session; null: there is none under this key. */
export function placeOf(catalog: Catalog, key: string): SessionPlace | null {
  const session = catalog.sessions().get(key)
  const group = session === undefined ? undefined : catalog.sourceOf(session.groupId)
  if (session === undefined || group === undefined) return null
  const subagents = session.summary.subagentKeys.flatMap((other) => {
    const known = catalog.sessions().get(other)
    return known === undefined ? [] : [known.summary]
  })
  return {
    source: group,
    ownKey: session.record.summary.key,
    isProvisional: session.record.summary.indexed !== 'full',
    shownKey: key,
    root: session.summary.project.path,
    isAgent: session.summary.kind === 'subagent',
    subagents: subagents.map(({ key, sessionId, startTime, endTime }) => ({
      key,
      sessionId,
      startTime,
      endTime,
    })),
  }
}
