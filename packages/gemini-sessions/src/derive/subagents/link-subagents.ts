import type { SessionFigures, SessionSummary } from '../../model/session-summary.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { addCost } from '../sums/add-cost.ts'
import { addFailures } from '../sums/add-failures.ts'
import { addUsage } from '../sums/sum-usage.ts'

/** A row and what its session knows of its parent. */
export interface SubagentLink {
  summary: SessionSummary
  /** `Session.parentSessionId`: null for all but sub-agents. */
  parentSessionId: string | null
  /** Ids of sub-agents that its calls name (0.39+): of nested ones they, not the folder, tell who started them. */
  agentIds?: readonly string[]
}

/**
 * The rows with `parentKey`, `subagentKeys` and `withSubagents` set; sub-agents of sub-agents included, each counted
 * once. A sub-agent whose parent is gone from the disk keeps `parentKey: null`.
 */
export function linkSubagents(links: readonly SubagentLink[]): SessionSummary[] {
  const rowsById = new Map<string, SessionSummary[]>()
  for (const { summary } of links) {
    const id = identity(summary.project.key, summary.sessionId)
    rowsById.set(id, [...(rowsById.get(id) ?? []), summary])
  }
  const callersOf = indexCallers(links)
  const parentOf = new Map<string, string>()
  for (const { summary, parentSessionId } of links) {
    if (parentSessionId === null) continue
    const candidates = rowsById.get(identity(summary.project.key, parentSessionId)) ?? []
    const callers = callersOf.get(callIdentity(summary, parentSessionId, summary.sessionId)) ?? []
    const parent =
      findParent(summary, callers, false) ??
      findParent(summary, candidates, summary.sessionId === parentSessionId)
    if (parent !== null && !isAncestor(summary.key, parent.key, parentOf))
      parentOf.set(summary.key, parent.key)
  }
  return addUp(
    links.map(({ summary }) => summary),
    parentOf,
  )
}

/** Sub-agents by the run they belong to and the agents that their calls started: nested ones lie in the main session's folder. */
function indexCallers(links: readonly SubagentLink[]): Map<string, SessionSummary[]> {
  const callers = new Map<string, SessionSummary[]>()
  for (const { summary, parentSessionId, agentIds = [] } of links) {
    if (parentSessionId === null) continue
    for (const agentId of agentIds) {
      const id = callIdentity(summary, parentSessionId, agentId)
      callers.set(id, [...(callers.get(id) ?? []), summary])
    }
  }
  return callers
}

function callIdentity({ project }: SessionSummary, runId: string, agentId: string): string {
  return `${identity(project.key, runId)}\n${agentId}`
}

/** Of several conversations of one run the one that was going on when the sub-agent began, else the last begun before. */
function findParent(
  child: SessionSummary,
  candidates: readonly SessionSummary[],
  isFlat: boolean,
): SessionSummary | null {
  const others = candidates.filter((row) => row !== child && (!isFlat || row.kind === 'main'))
  const mains = others.filter((row) => row.kind === 'main' && !isDamagedSession(row))
  const rows = [...(mains.length > 0 ? mains : others)].sort((a, b) => startMs(a) - startMs(b))
  const begin = startMs(child)
  const running = rows.filter((row) => startMs(row) <= begin && begin <= Date.parse(row.endTime ?? ''))
  return running.at(-1) ?? rows.findLast((row) => startMs(row) <= begin) ?? rows[0] ?? null
}

function startMs({ startTime }: SessionSummary): number {
  return Date.parse(startTime ?? '') || 0
}

/** Damaged data could name a child as its own ancestor. */
function isAncestor(key: string, of: string, parentOf: ReadonlyMap<string, string>): boolean {
  for (let current: string | undefined = of; current !== undefined; current = parentOf.get(current)) {
    if (current === key) return true
  }
  return false
}

function addUp(
  summaries: readonly SessionSummary[],
  parentOf: ReadonlyMap<string, string>,
): SessionSummary[] {
  const children = new Map<string, SessionSummary[]>()
  for (const summary of summaries) {
    const parentKey = parentOf.get(summary.key)
    if (parentKey !== undefined) children.set(parentKey, [...(children.get(parentKey) ?? []), summary])
  }
  const totalOf = (summary: SessionSummary): SessionFigures =>
    (children.get(summary.key) ?? []).map(totalOf).reduce(addFigures, ownFigures(summary))
  return summaries.map((summary) => ({
    ...summary,
    parentKey: parentOf.get(summary.key) ?? null,
    subagentKeys: (children.get(summary.key) ?? []).sort(byStart).map((child) => child.key),
    // a sub-agent's own file proves that something was said, though it was not recorded here
    empty: summary.empty && !children.has(summary.key),
    withSubagents: totalOf(summary),
  }))
}

/** Figures of a session without its sub-agents, in the form of `withSubagents`. */
export function ownFigures({ usage, cost, recorded, failures }: SessionSummary): SessionFigures {
  return { usage, cost, toolCalls: recorded?.toolCalls ?? null, failures }
}

function addFigures(a: SessionFigures, b: SessionFigures): SessionFigures {
  return {
    usage: addKnown(a.usage, b.usage, addUsage),
    cost: addKnown(a.cost, b.cost, addCost),
    toolCalls: addKnown(a.toolCalls, b.toolCalls, (one, other) => one + other),
    failures: addKnown(a.failures, b.failures, addFailures),
  }
}

/** null: not read yet. What is known is shown; the rest joins when it is read. */
function addKnown<Figure>(
  a: Figure | null,
  b: Figure | null,
  add: (a: Figure, b: Figure) => Figure,
): Figure | null {
  return a === null ? b : b === null ? a : add(a, b)
}

function byStart(a: SessionSummary, b: SessionSummary): number {
  return startMs(a) - startMs(b) || (a.key < b.key ? -1 : 1)
}

/** A folder's name is its parent's id with everything but letters, digits, `_` and `-` replaced by `_`. */
function identity(projectKey: string, sessionId: string): string {
  return `${projectKey}\n${sessionId.replace(/[^A-Za-z0-9_-]/g, '_')}`
}
