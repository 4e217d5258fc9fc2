import { stampOf } from '@gemini-dash/session-index'
import type { Catalog, CatalogSession } from '../catalog/catalog.ts'
import type { RememberedGroup, RememberedRow } from '../remembered/remembered-list.ts'

type Place = RememberedGroup['at']

/** What the next start's first list needs of the groups that were written, in their order. */
export function describeList(catalog: Catalog, places: ReadonlyMap<string, Place>): RememberedGroup[] {
  const numbers = new Map([...places.keys()].map((id, index) => [id, index]))
  const sessionsOf = new Map<string, CatalogSession[]>()
  for (const session of catalog.sessions().values()) {
    sessionsOf.set(session.groupId, [...(sessionsOf.get(session.groupId) ?? []), session])
  }
  return [...places].map(([id, at]) => {
    const sessions = sessionsOf.get(id) ?? []
    const own = numbers.get(id)
    const subagents = sessions
      .flatMap(({ summary }) => descendantsOf(summary.subagentKeys, catalog))
      .flatMap(({ groupId }) => numbers.get(groupId) ?? [])
    return {
      at,
      files: (catalog.group(id)?.files ?? []).map(stampOf),
      rows: sessions.flatMap(({ summary }) => (summary.kind === 'main' ? toRow(summary) : [])),
      subagents: [...new Set(subagents)].filter((number) => number !== own),
    }
  })
}

function descendantsOf(keys: readonly string[], catalog: Catalog): CatalogSession[] {
  return keys.flatMap((key) => {
    const session = catalog.sessions().get(key)
    return session === undefined ? [] : [session, ...descendantsOf(session.summary.subagentKeys, catalog)]
  })
}

function toRow({
  key,
  startTime,
  endTime,
  models,
  usage,
  cost,
  subagentKeys,
  withSubagents,
}: CatalogSession['summary']): RememberedRow {
  const row = { key, startTime, endTime, models, usage, cost }
  return subagentKeys.length === 0 ? row : { ...row, withSubagents }
}
