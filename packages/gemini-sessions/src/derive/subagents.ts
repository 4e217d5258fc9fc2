import type { Message, ToolCall } from '../model/message.ts'
import type { SessionFigures, SessionSummary } from '../model/session-summary.ts'
import { isDamagedSession } from './messages.ts'
import { addCost, addFailures, addUsage } from './sums.ts'

/** The parts of a row that determine its parent, and that its parent sums up. */
type LinkedRow = Pick<
  SessionSummary,
  | 'key'
  | 'sessionId'
  | 'kind'
  | 'startTime'
  | 'endTime'
  | 'empty'
  | 'files'
  | 'usage'
  | 'cost'
  | 'recorded'
  | 'failures'
> & { project: Pick<SessionSummary['project'], 'key'> }

type Linked = Pick<SessionSummary, 'parentKey' | 'subagentKeys' | 'withSubagents'>

/** A row and what its session knows of its parent. */
export interface SubagentLink<Row extends LinkedRow = SessionSummary> {
  summary: Row
  /** `Session.parentSessionId`: null for all but sub-agents. */
  parentSessionId: string | null
  /** Ids of sub-agents in its calls (0.39+): for nested ones these, not the folder, determine the parent. */
  agentIds?: readonly string[]
}

/**
 * The rows with `parentKey`, `subagentKeys` and `withSubagents` set, including nested sub-agents, each counted once. A sub-agent whose
 * parent is gone from the disk keeps `parentKey: null`.
 */
export function linkSubagents<Row extends LinkedRow>(links: readonly SubagentLink<Row>[]): (Row & Linked)[] {
  const rowsById = new Map<string, LinkedRow[]>()
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

/** Sub-agents by their run and the agents started by their calls: nested ones are in the main session's folder. */
function indexCallers(links: readonly SubagentLink<LinkedRow>[]): Map<string, LinkedRow[]> {
  const callers = new Map<string, LinkedRow[]>()
  for (const { summary, parentSessionId, agentIds = [] } of links) {
    if (parentSessionId === null) continue
    for (const agentId of agentIds) {
      const id = callIdentity(summary, parentSessionId, agentId)
      callers.set(id, [...(callers.get(id) ?? []), summary])
    }
  }
  return callers
}

function callIdentity({ project }: LinkedRow, runId: string, agentId: string): string {
  return `${identity(project.key, runId)}\n${agentId}`
}

/** Of several conversations in one run, the one that was active when the sub-agent began, else the last one begun before. */
function findParent(child: LinkedRow, candidates: readonly LinkedRow[], isFlat: boolean): LinkedRow | null {
  const others = candidates.filter((row) => row !== child && (!isFlat || row.kind === 'main'))
  const mains = others.filter((row) => row.kind === 'main' && !isDamagedSession(row))
  const rows = [...(mains.length > 0 ? mains : others)].sort((a, b) => startMs(a) - startMs(b))
  const begin = startMs(child)
  const running = rows.filter((row) => startMs(row) <= begin && begin <= Date.parse(row.endTime ?? ''))
  return running.at(-1) ?? rows.findLast((row) => startMs(row) <= begin) ?? rows[0] ?? null
}

function startMs({ startTime }: LinkedRow): number {
  return Date.parse(startTime ?? '') || 0
}

/** In damaged data a child can be its own ancestor. */
function isAncestor(key: string, of: string, parentOf: ReadonlyMap<string, string>): boolean {
  for (let current: string | undefined = of; current !== undefined; current = parentOf.get(current)) {
    if (current === key) return true
  }
  return false
}

function addUp<Row extends LinkedRow>(
  summaries: readonly Row[],
  parentOf: ReadonlyMap<string, string>,
): (Row & Linked)[] {
  const children = new Map<string, LinkedRow[]>()
  for (const summary of summaries) {
    const parentKey = parentOf.get(summary.key)
    if (parentKey !== undefined) children.set(parentKey, [...(children.get(parentKey) ?? []), summary])
  }
  const totalOf = (summary: LinkedRow): SessionFigures =>
    (children.get(summary.key) ?? []).map(totalOf).reduce(addFigures, ownFigures(summary))
  return summaries.map((summary) => ({
    ...summary,
    parentKey: parentOf.get(summary.key) ?? null,
    subagentKeys: (children.get(summary.key) ?? []).sort(byStart).map((child) => child.key),
    // a sub-agent's own file proves that there was a conversation, though it was not recorded here
    empty: summary.empty && !children.has(summary.key),
    withSubagents: totalOf(summary),
  }))
}

/** Figures of a session without its sub-agents, in the form of `withSubagents`. */
export function ownFigures({
  usage,
  cost,
  recorded,
  failures,
}: Pick<LinkedRow, 'usage' | 'cost' | 'recorded' | 'failures'>): SessionFigures {
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

/** null: not read yet. The known values are shown; the rest is added when it is read. */
function addKnown<Figure>(
  a: Figure | null,
  b: Figure | null,
  add: (a: Figure, b: Figure) => Figure,
): Figure | null {
  return a === null ? b : b === null ? a : add(a, b)
}

function byStart(a: LinkedRow, b: LinkedRow): number {
  return startMs(a) - startMs(b) || (a.key < b.key ? -1 : 1)
}

/** A folder's name is its parent's id with everything except letters, digits, `_` and `-` replaced by `_`. */
function identity(projectKey: string, sessionId: string): string {
  return `${projectKey}\n${sessionId.replace(/[^A-Za-z0-9_-]/g, '_')}`
}

/** Ids of the sub-agents started by these messages' calls, as far as recorded (0.39+). */
export function agentIds(messages: readonly Message[]): string[] {
  const ids = messages.flatMap(({ toolCalls }) => toolCalls.flatMap(({ agentId }) => agentId ?? []))
  return [...new Set(ids)]
}

/** The parts of a sub-agent's session needed to find the call that started it. */
export type SubagentRef = Pick<SessionSummary, 'key' | 'sessionId' | 'startTime' | 'endTime'>

/**
 * Messages of a parent with `agentKey` set on the tool calls that started these sub-agents: by the id that the CLI recorded (0.39+), else
 * (0.37, 0.38 and flat files) the next call recorded after the sub-agent's last message.
 */
export function linkAgentCalls(messages: readonly Message[], subagents: readonly SubagentRef[]): Message[] {
  if (subagents.length === 0) return [...messages]
  const keyOfCall = new Map<ToolCall, string>()
  const calls = messages.flatMap((message) => message.toolCalls)
  const unlinked = subagents.filter((subagent) => {
    const byId = calls.filter((call) => call.agentId === subagent.sessionId)
    for (const call of byId) keyOfCall.set(call, subagent.key)
    return byId.length === 0
  })
  for (const subagent of unlinked) {
    const call = callByTime(
      calls.filter((candidate) => !keyOfCall.has(candidate)),
      subagent,
    )
    if (call) keyOfCall.set(call, subagent.key)
  }
  return messages.map((message) =>
    message.toolCalls.some((call) => keyOfCall.has(call))
      ? {
          ...message,
          toolCalls: message.toolCalls.map((call) => ({
            ...call,
            agentKey: keyOfCall.get(call) ?? call.agentKey,
          })),
        }
      : message,
  )
}

/** false: `linkAgentCalls` never sets `agentKey` on it. */
export function mayStartAgent(call: ToolCall): boolean {
  return call.agentId !== null || startsAgent(call)
}

/** A call is recorded with its result, so right after the sub-agent's end. */
function callByTime(calls: readonly ToolCall[], { endTime }: SubagentRef): ToolCall | undefined {
  const endMs = Date.parse(endTime ?? '')
  return calls
    .filter((call) => call.agentId === null && startsAgent(call) && Date.parse(call.timestamp ?? '') >= endMs)
    .sort((a, b) => Date.parse(a.timestamp ?? '') - Date.parse(b.timestamp ?? ''))[0]
}

/** `resultDisplay` shows it from 0.33 on; before, the tools that start an agent are known by name. */
function startsAgent({ name, display, output }: ToolCall): boolean {
  return display?.kind === 'subagent' || output.kind === 'subagent' || AGENT_TOOLS.has(name)
}

const AGENT_TOOLS = new Set(['invoke_agent', 'delegate_to_agent', 'codebase_investigator', 'cli_help'])
