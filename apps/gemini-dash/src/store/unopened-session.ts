import type { ListedSession } from './list-sessions.ts'
import type { RememberedRow } from './remembered-list.ts'
import type { Unopened } from './unopened-groups.ts'

/** A session whose row was not read yet: it counts, and has its place in the order. */
export interface UnopenedSession extends ListedSession {
  unopened: Unopened
}

/** As many as an earlier run knew; one where only names are known. */
export function unopenedSessions(group: Unopened): UnopenedSession[] {
  if (group.isRemembered) {
    return [...group.remembered.keys()].flatMap(({ rows }) => rows.map((row) => toListed(row, group)))
  }
  const key = group.files[0]?.absolutePath ?? ''
  return [{ ...NOTHING_KNOWN, key, startTime: group.startTime, unopened: group }]
}

function toListed(
  { usage, cost, withSubagents = { usage, cost }, ...row }: RememberedRow,
  unopened: Unopened,
) {
  return { ...NOTHING_KNOWN, ...row, usage, cost, withSubagents, unopened }
}

const NOTHING_KNOWN = {
  kind: 'main',
  title: '',
  firstPrompt: null,
  endTime: null,
  live: false,
  models: null,
  counts: null,
  usage: null,
  cost: null,
  withSubagents: { usage: null, cost: null },
  project: { key: '' },
} as const
