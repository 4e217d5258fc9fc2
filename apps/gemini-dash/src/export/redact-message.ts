import { createHash } from 'node:crypto'
import type { ChangeExample, Depth, ExportedAgent, ExportReview } from '@gemini-dash/api'
import {
  type Change,
  type ChangeKind,
  type Known,
  type LeftOut,
  learnValue,
  type RedactOptions,
  redactValue,
} from '@gemini-dash/redact'
import {
  type AnsiToken,
  linkTodoLists,
  type Message,
  type Part,
  type SessionSummary,
  type ToolCall,
  type ToolOutput,
} from 'gemini-sessions'
import { type ChosenMessage, cutToDepth } from './choose-messages.ts'

/** Names of the exporting user, and what a reviewer switched off: kinds, and ids of single changes. */
export interface Redaction extends Pick<RedactOptions, 'homes' | 'userNames' | 'hostNames'> {
  keep: readonly string[]
}

export interface RedactedMessage {
  message: Message
  changes: Change[]
  leftOut: LeftOut[]
  /** Number of pictures and files exported by name only. */
  byName: number
}

const KINDS: readonly ChangeKind[] = ['secret', 'home', 'user', 'host', 'email']

/** The texts of person, model and tools, redacted; keys, times and figures are unchanged. */
export function redactMessage(given: Message, options: RedactOptions): RedactedMessage {
  const { content, attachments, thoughts, toolCalls } = given
  let byName = 0
  const nameOnly = <Held extends Part | ToolOutput>(part: Held): Held => {
    if (!('data' in part) || part.data === null) return part
    byName += 1
    return { ...part, data: null }
  }
  const files = attachments.map((file) => {
    if (file.path === '') return file
    byName += 1
    return { ...file, text: '' }
  })
  const calls = toolCalls.map((call): ToolCall => {
    const output = nameOnly(plainAnsi(call.output))
    return {
      ...call,
      output,
      display: call.display && nameOnly(plainAnsi(call.display)),
      extraParts: call.extraParts.map(nameOnly),
    }
  })
  const spoken = { content: content.map(nameOnly), attachments: files, thoughts, toolCalls: calls }
  const { value, changes, leftOut } = redactValue(spoken, options)
  // the same fields with redacted texts
  return { message: { ...given, ...(value as typeof spoken) }, changes, leftOut, byName }
}

/** Adds what a message reveals to what is known about the session. */
export function learnMessage(known: Known, { content, attachments, thoughts, toolCalls }: Message): void {
  learnValue(known, {
    content: content.map(withoutData),
    attachments,
    thoughts,
    toolCalls: toolCalls.map(plainCall),
  })
}

function plainCall(call: ToolCall): ToolCall {
  const { output, display, extraParts } = call
  const given = withoutData(plainAnsi(output))
  const drawn = display && withoutData(plainAnsi(display))
  // usually it is the same text
  const isSame = drawn !== null && 'text' in drawn && 'text' in given && given.text.includes(drawn.text)
  return { ...call, output: given, display: isSame ? null : drawn, extraParts: extraParts.map(withoutData) }
}

function withoutData<Held extends Part | ToolOutput>(part: Held): Held {
  return 'data' in part && part.data !== null ? { ...part, data: null } : part
}

/** Options for the redaction: a reviewer's ids as sets. */
export function redactOptions({ keep, ...person }: Redaction): RedactOptions {
  const keepKinds = new Set(KINDS.filter((kind) => keep.includes(kind)))
  return { ...person, keepKinds, ...(keep.length > keepKinds.size && { keepValues: new KeptIds(keep) }) }
}

/** Identifies a change in a URL, which must not contain a secret. */
function changeId(value: string): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, 10)
}

class KeptIds extends Set<string> {
  override has(value: string): boolean {
    return super.has(changeId(value))
  }
}

/** A secret may be printed in several colors, piece by piece; it can only be found in the plain text. */
function plainAnsi<Output extends ToolOutput>(output: Output): Output | { kind: 'text'; text: string } {
  if (output.kind !== 'ansi') return output
  const textOf = (line: AnsiToken[]) => line.map(({ text }) => text).join('')
  return { kind: 'text', text: output.lines.map(textOf).join('\n') }
}

/** A sub-agent's session, opened. */
interface OpenedAgent {
  session: SessionSummary
  chosen: readonly ChosenMessage[]
  restore: (messages: readonly Message[]) => Promise<Message[]>
}

/** The sub-agents exported within a session. */
export interface AgentSource {
  /** null: this one is not exported here. */
  withAgent: <Read>(key: string, read: (agent: OpenedAgent) => Promise<Read>) => Promise<Read | null>
  /** The session's own message whose call each one is exported with. */
  homes: ReadonlyMap<string, string>
  depth: Depth
  /** null: they are not redacted. */
  options: RedactOptions | null
  /** Reduces a message to what is written of it. */
  written: (message: Message) => Message
}

interface TakenAgents {
  message: Message
  /** By key, including those started by other sub-agents. */
  agents: ReadonlyMap<string, ExportedAgent>
  changes: Change[]
  leftOut: LeftOut[]
  byName: number
}

export const NO_AGENTS: TakenAgents['agents'] = new Map()

/**
 * The conversations that a message's calls started. Each is exported in one place, the first call that names it: the message is returned
 * without the other names, so that they form a tree however often one is named.
 */
async function takeAgents(given: Message, source: AgentSource): Promise<TakenAgents> {
  const { homes, options } = source
  const wanted = new Set<string>()
  const isFirst = (key: string) => wanted.size !== wanted.add(key).size
  const message = namedOnce(given, (key) => homes.get(key) === given.key && isFirst(key))
  const agents = new Map<string, ExportedAgent>()
  const taken = { changes: [] as Change[], leftOut: [] as LeftOut[], byName: 0 }
  // grows by those started in turn
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

/** Nothing was redacted. */
export const UNCHANGED = { changes: [], leftOut: [], byName: 0 }

/** A message as exported, with the conversations that its calls started; `options` null: not redacted. */
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

/** For each sub-agent named in these messages, the first message that names it. */
export function agentHomes(chosen: readonly ChosenMessage[]): Map<string, string> {
  const homes = new Map<string, string>()
  for (const { message } of chosen)
    for (const { agentKey } of message.toolCalls)
      if (agentKey !== null && !homes.has(agentKey)) homes.set(agentKey, message.key)
  return homes
}

/** Keys of the sub-agents exported within the session. */
export async function agentsAlong({ homes, withAgent }: AgentSource): Promise<string[]> {
  const along: string[] = []
  // grows by those started in turn
  const named = new Set(homes.keys())
  for (const key of named) {
    const others = await withAgent(key, async ({ chosen }) => agentHomes(chosen))
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

/** Small enough to be read at once: see `SessionExport`. */
async function readAgent(
  { session, chosen, restore }: OpenedAgent,
  { depth, written }: AgentSource,
): Promise<ExportedAgent> {
  const messages = chosen.map(({ message }) => message)
  const whole = linkTodoLists(messages, await restore(messages))
  const cut = cutToDepth(
    chosen.map((each, place) => ({ ...each, message: whole[place] ?? each.message })),
    depth,
  )
  return { session, messages: [...cut].flatMap(({ message }) => (message === null ? [] : written(message))) }
}

const MAX_EXAMPLES = 500
/** A private key does not have to be read in full to be judged. */
const MAX_VALUE_LENGTH = 300

type Kind = ExportReview['changes'][number]['kind']

/** Collects what is redacted in a session, so that a person can review it before the export. */
export class ReviewCache {
  readonly #counts = new Map<Kind, number>()
  readonly #examples = new Map<Kind, Map<string, ChangeExample>>()
  readonly #leftOut = new Map<string, number>()

  /** @param messageKey null: title or folder of the session */
  add(changes: readonly Change[], leftOut: readonly LeftOut[], messageKey: string | null): void {
    for (const change of changes) this.#addChange(change, messageKey)
    for (const { reason } of leftOut)
      this.#leave(reason === 'binary' ? 'binary text' : 'text too large to be examined', 1)
  }

  /** Pictures and files exported by name only. */
  addByName(count: number): void {
    if (count > 0) this.#leave('content of pictures and attached files', count)
  }

  review(): ExportReview {
    return {
      changes: [...this.#counts].map(([kind, count]) => ({
        kind,
        count,
        examples: [...(this.#examples.get(kind)?.values() ?? [])],
      })),
      leftOut: [...this.#leftOut].map(([what, count]) => ({ what, count })),
    }
  }

  #addChange({ kind, name, value, replacement, before, after }: Change, messageKey: string | null): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    const examples = this.#examples.get(kind) ?? new Map<string, ChangeExample>()
    this.#examples.set(kind, examples)
    const known = examples.get(value)
    if (known !== undefined) known.count += 1
    else if (examples.size < MAX_EXAMPLES) {
      examples.set(value, {
        id: changeId(value),
        name,
        value: value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value,
        replacement,
        before,
        after,
        messageKey,
        count: 1,
      })
    }
  }

  #leave(what: string, count: number): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count)
  }
}
