import type { ListedSession } from '../list/list-sessions.ts'
import type { RememberedRow } from './remembered-list.ts'
import type { Unopened } from './unopened-groups.ts'

/** A session whose row was not read yet: it counts, and has its place in the order. */
export interface UnopenedSession extends ListedSession {
  unopened: Unopened
}

/** As many as an earlier run knew; one where only names are known. */
export function unopenedSessions(unopened: Unopened): UnopenedSession[] {
  const { remembered, files, startTime } = unopened
  if (remembered.length > 0) {
    return remembered.flatMap(({ rows }) => rows.map((row) => toListed(row, unopened)))
  }
  const key = files[0]?.absolutePath ?? ''
  return [toListed({ key, startTime, endTime: null, models: null, usage: null, cost: null }, unopened)]
}

/** Field by field: there are tens of thousands of them, and spreading costs ten times as much. */
function toListed(row: RememberedRow, unopened: Unopened): UnopenedSession {
  return {
    kind: 'main',
    key: row.key,
    title: '',
    firstPrompt: null,
    startTime: row.startTime,
    endTime: row.endTime,
    live: false,
    models: row.models,
    counts: null,
    failures: null,
    usage: row.usage,
    cost: row.cost,
    withSubagents: row.withSubagents ?? row,
    project: NO_PROJECT,
    unopened,
  }
}

const NO_PROJECT = { key: '' }
