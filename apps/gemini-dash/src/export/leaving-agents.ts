import type { Depth, LeavingAgent } from '@gemini-dash/api'
import type { Change, LeftOut, RedactOptions } from '@gemini-dash/redact'
import { linkTodoLists, type Message, type SessionSummary } from 'gemini-sessions'
import { cutToDepth, type ToldMessage } from './choose-messages.ts'
import { type RedactedMessage, redactMessage } from './redact-message.ts'

/** A sub-agent's session, open. */
export interface OpenedAgent {
  session: SessionSummary
  told: readonly ToldMessage[]
  restore: (messages: readonly Message[]) => Promise<Message[]>
}

/** The sub-agents that leave along with a session. */
export interface AgentSource {
  /** null: this one does not. */
  withAgent: <Read>(key: string, read: (agent: OpenedAgent) => Promise<Read>) => Promise<Read | null>
  /** The session's own message in whose call each one leaves. */
  homes: ReadonlyMap<string, string>
  depth: Depth
  /** null: they leave as they are. */
  options: RedactOptions | null
  /** What of a message is written. */
  written: (message: Message) => Message
}

interface TakenAgents {
  message: Message
  /** By key; those that a conversation in it started, too. */
  agents: ReadonlyMap<string, LeavingAgent>
  changes: Change[]
  leftOut: LeftOut[]
  byName: number
}

export const NO_AGENTS: TakenAgents['agents'] = new Map()

/**
 * The conversations that a message's calls started. Each leaves in one place, the first call that names it: the same message
 * is handed back without the other names, so that they make a tree however often one is named.
 */
async function takeAgents(given: Message, source: AgentSource): Promise<TakenAgents> {
  const { homes, options } = source
  const wanted = new Set<string>()
  const isFirst = (key: string) => wanted.size !== wanted.add(key).size
  const message = namedOnce(given, (key) => homes.get(key) === given.key && isFirst(key))
  const agents = new Map<string, LeavingAgent>()
  const taken = { changes: [] as Change[], leftOut: [] as LeftOut[], byName: 0 }
  // grows by those that these started in turn
  for (const key of wanted) {
    const agent = await source.withAgent(key, (opened) => readAgent(opened, source))
    if (agent === null) continue
    const messages = agent.messages.map((each) => {
      const own = namedOnce(each, (other) => !homes.has(other) && isFirst(other))
      if (options === null) return own
      const { message: clean, changes, leftOut, byName } = redactMessage(own, options)
      for (const change of changes) taken.changes.push(change)
      for (const left of leftOut) taken.leftOut.push(left)
      taken.byName += byName
      return clean
    })
    agents.set(key, { session: agent.session, messages })
  }
  return { message, agents, ...taken }
}

/** Nothing was taken out. */
export const UNCHANGED = { changes: [], leftOut: [], byName: 0 }

/** A message as it leaves, with the conversations that its calls started; `options`: null, as it is. */
export async function redactWithAgents(
  given: Message,
  options: RedactOptions | null,
  source: AgentSource | null,
): Promise<RedactedMessage & { agents: TakenAgents['agents'] }> {
  const below = source && (await takeAgents(given, source))
  const message = below?.message ?? given
  const own = options === null ? { message, ...UNCHANGED } : redactMessage(message, options)
  if (below === null) return { ...own, agents: NO_AGENTS }
  return {
    message: own.message,
    agents: below.agents,
    changes: [...own.changes, ...below.changes],
    leftOut: [...own.leftOut, ...below.leftOut],
    byName: own.byName + below.byName,
  }
}

/** For each sub-agent that these messages name, the first that does. */
export function agentHomes(told: readonly ToldMessage[]): Map<string, string> {
  const homes = new Map<string, string>()
  for (const { message } of told)
    for (const { agentKey } of message.toolCalls)
      if (agentKey !== null && !homes.has(agentKey)) homes.set(agentKey, message.key)
  return homes
}

/** Keys of those that leave inside the session. */
export async function agentsAlong({ homes, withAgent }: AgentSource): Promise<string[]> {
  const along: string[] = []
  // grows by those that these started in turn
  const named = new Set(homes.keys())
  for (const key of named) {
    const others = await withAgent(key, async ({ told }) => agentHomes(told))
    if (others === null) continue
    along.push(key)
    for (const other of others.keys()) named.add(other)
  }
  return along
}

function namedOnce(message: Message, isNamed: (key: string) => boolean): Message {
  if (!message.toolCalls.some(({ agentKey }) => agentKey !== null)) return message
  return {
    ...message,
    toolCalls: message.toolCalls.map((call) =>
      call.agentKey === null || isNamed(call.agentKey) ? call : { ...call, agentKey: null },
    ),
  }
}

/** Small enough to be read at once: see `SessionLeaving`. */
async function readAgent(
  { session, told, restore }: OpenedAgent,
  { depth, written }: AgentSource,
): Promise<LeavingAgent> {
  const messages = told.map(({ message }) => message)
  const whole = linkTodoLists(messages, await restore(messages))
  const cut = cutToDepth(
    told.map((each, place) => ({ ...each, message: whole[place] ?? each.message })),
    depth,
  )
  return { session, messages: [...cut].flatMap(({ message }) => (message === null ? [] : written(message))) }
}
