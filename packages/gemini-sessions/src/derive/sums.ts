import { type Cost, NO_COST, NO_USAGE, type TokenUsage } from '../model/issue.ts'
import type { BilledElsewhere, Message, Session, ToolOutput } from '../model/message.ts'
import type { SessionFailures, SessionSummary } from '../model/session-summary.ts'
import { shortKey } from './identity.ts'
import { isPrompt, messageText, RecordedCalls, spentMessages } from './messages.ts'

/** List price of one model call in USD; null if unknown. Passed in, so that this package needs no prices. */
export interface PriceCall {
  (call: CallToPrice): number | null
  /** Whether the price is a lower bound; left out: never. */
  isLeast?: (call: CallToPrice) => boolean
}

interface CallToPrice {
  model: string | null
  usage: TokenUsage
  /** ISO 8601 UTC: prices change with time. */
  timestamp: string | null
}

/** The messages with `cost` set if tokens are recorded. */
export function priceMessages(messages: readonly Message[], priceCall: PriceCall): Message[] {
  return messages.map((message) =>
    message.usage === null ? message : { ...message, cost: spentCost(message, priceCall) },
  )
}

/**
 * Cost of one message. A call without recorded tokens has no price to look up; it is counted in `callsWithoutTokens`. For one with unknown
 * figures, or with a lower bound only, `usd` is the known part, and it counts as unpriced.
 */
export function spentCost(message: Message, priceCall: PriceCall): Cost {
  const { usage, model, timestamp } = message
  if (usage === null || message.copyOf !== null) return NO_COST
  const call = { model, usage, timestamp }
  const usd = priceCall(call)
  const isWhole = usd !== null && usage.unknownFigures === undefined && priceCall.isLeast?.(call) !== true
  return { usd, unpricedCalls: isWhole ? 0 : 1 }
}

/** Prices are integers in this unit per token, so sums of them are exact in any order and grouping. */
const UNITS_PER_USD = 1e11
/** About 22,500 USD. Above it adjacent units are no longer distinct numbers; plain sums are then the closest. */
const MOST_UNITS = 2 ** 51

/** Sum of two costs; `usd` is null only if neither has a price. */
export function addCost(a: Cost, b: Cost): Cost {
  return {
    usd: a.usd === null ? b.usd : addUsd(a.usd, b.usd ?? 0),
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  }
}

function addUsd(a: number, b: number): number {
  const units = Math.round(a * UNITS_PER_USD) + Math.round(b * UNITS_PER_USD)
  return Math.abs(units) < MOST_UNITS ? units / UNITS_PER_USD : a + b
}

/** Sum of two counts of failures, kind by kind. */
export function addFailures(a: SessionFailures, b: SessionFailures): SessionFailures {
  return {
    tools: a.tools + b.tools,
    refused: a.refused + b.refused,
    unanswered: a.unanswered + b.unanswered,
  }
}

const CALL_WITHOUT_TOKENS: TokenUsage = Object.freeze({ ...NO_USAGE, calls: 1, callsWithoutTokens: 1 })

/** Tokens spent by these messages: each counted once, copies never. */
export function sumUsage(messages: Iterable<Message>): TokenUsage {
  let sum = NO_USAGE
  for (const message of messages) sum = addUsage(sum, spentUsage(message))
  return sum
}

/** Sum of two usages, field by field. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    thoughts: a.thoughts + b.thoughts,
    tool: a.tool + b.tool,
    total: a.total + b.total,
    calls: a.calls + b.calls,
    callsWithoutTokens: a.callsWithoutTokens + b.callsWithoutTokens,
  }
}

/** What one message spent (contract rule 11): a copy nothing, a model message without tokens still counts as a call. */
function spentUsage(message: Message): TokenUsage {
  if (message.copyOf !== null || message.billedIn !== undefined) return NO_USAGE
  if (message.usage !== null) return countedUsage(message.usage)
  return message.origin === 'model' ? CALL_WITHOUT_TOKENS : NO_USAGE
}

/** Without fields that sums do not have. */
function countedUsage(usage: TokenUsage): TokenUsage {
  if (usage.unknownFigures === undefined) return usage
  const { unknownFigures: _, ...counted } = usage
  return counted
}

/** Characters of a `requestId`. */
export const REQUEST_ID_LENGTH = 12

/** UUIDs and other random ids: no two requests share one. */
const RANDOM_ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/i
/** Prefix length: of large texts only the beginning is in memory. */
const TEXT_LENGTH = 200

/**
 * Computes the id of each request in a session, message by message in order; null: not a request, or nothing recorded to recognize it by.
 * Equal for two records of one request in any sessions: copies, forks and imports keep ids, times and tokens. A non-random id (`turn_1`)
 * proves that only with the same prompt and answer. Excludes the model for Antigravity CLI: its steps do not name it, and inherited steps
 * of a fork can lack the rows that do.
 */
class RequestIds {
  readonly #hasModels: boolean
  #prompt = ''

  constructor({ source }: Session) {
    this.#hasModels = source !== 'antigravity-cli'
  }

  of(message: Message): string | null {
    const { id, timestamp, model, usage } = message
    if (isPrompt(message)) this.#prompt = messageText(message).slice(0, TEXT_LENGTH)
    // Not only answers spend: Antigravity CLI has a request for the title of a conversation.
    if (message.copyOf !== null || usage === null || id === '') return null
    const { input, output, cached, thoughts, tool, total } = usage
    const facts = [
      id,
      timestamp,
      this.#hasModels ? model : null,
      input,
      output,
      cached,
      thoughts,
      tool,
      total,
    ]
    const texts = RANDOM_ID.test(id) ? [] : [this.#prompt, messageText(message).slice(0, TEXT_LENGTH)]
    return shortKey(JSON.stringify([...facts, ...texts]))
  }
}

/** The ids of all requests counted by a session, or by another one for it; one string, since there are many. */
export function requestIds(session: Session): string {
  const ids = new RequestIds(session)
  const own = spentMessages(session).flatMap((message) => ids.of(message) ?? [])
  return [...own, ...(session.billedElsewhere ?? []).flatMap(({ requests }) => requests)].join('')
}

/** The session with those of its requests that are counted for another one (contract rule 11) marked: they have no tokens here. */
export function billElsewhere(session: Session, elsewhere: readonly BilledElsewhere[]): Session {
  if (elsewhere.length === 0) return session
  const owners = new Map(
    elsewhere.flatMap(({ sessionKey, requests }) => requests.map((id) => [id, sessionKey])),
  )
  const ids = new RequestIds(session)
  const found = new Map<string, string[]>()
  const messages = session.messages.map((message): Message => {
    const id = ids.of(message)
    const billedIn = id === null ? undefined : owners.get(id)
    if (id === null || billedIn === undefined) return message
    const requests = found.get(billedIn) ?? []
    requests.push(id)
    found.set(billedIn, requests)
    return { ...message, usage: null, cost: null, billedIn }
  })
  if (found.size === 0) return session
  const billedElsewhere = [...found].map(([sessionKey, requests]) => ({ sessionKey, requests }))
  return { ...session, messages, billedElsewhere }
}

/** The session that counts most of its requests. */
export function copiedFrom({ billedElsewhere = [] }: Session): SessionSummary['copiedFrom'] {
  const [most] = [...billedElsewhere].sort((a, b) => b.requests.length - a.requests.length)
  return most === undefined ? null : { sessionKey: most.sessionKey, requests: most.requests.length }
}

/** One tool in one session. */
export interface ToolStats {
  name: string
  calls: number
  errors: number
  /** A quarter of the characters returned to the model. */
  outputTokensEstimate: number
  /**
   * Time from the answers to the results of its calls, an upper bound: starts are not recorded, and waiting for the user is included.
   * Parallel calls of one answer count once.
   */
  maxTimeMs: number
  /** Calls whose times are recorded. */
  timedCalls: number
}

/** The tools used in a session, by number of calls; includes superseded calls, but not copies. */
export function toolStats(session: Session): ToolStats[] {
  const builder = new ToolStatsBuilder()
  builder.add(spentMessages(session))
  return builder.finish()
}

/** The same for messages that count as spent, passed in order, batch by batch, with all their texts. */
export class ToolStatsBuilder {
  readonly #stats = new Map<string, ToolStats>()
  readonly #calls = new RecordedCalls()

  add(messages: readonly Message[]): void {
    for (const message of messages) if (message.billedIn === undefined) this.#addMessage(message)
  }

  finish(): ToolStats[] {
    return [...this.#stats.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
  }

  #addMessage(message: Message): void {
    const { timestamp } = message
    const longestMs = new Map<string, number>()
    for (const { name, failed, output, timestamp: recorded } of this.#calls.newIn(message)) {
      const known = this.#stats.get(name) ?? noCalls(name)
      this.#stats.set(name, known)
      known.calls += 1
      known.errors += failed ? 1 : 0
      known.outputTokensEstimate += Math.ceil(outputLength(output) / 4)
      const waitMs = Date.parse(recorded ?? '') - Date.parse(timestamp ?? '')
      if (!(waitMs >= 0)) continue
      known.timedCalls += 1
      const before = longestMs.get(name) ?? 0
      known.maxTimeMs += Math.max(waitMs - before, 0)
      longestMs.set(name, Math.max(waitMs, before))
    }
  }
}

function noCalls(name: string): ToolStats {
  return { name, calls: 0, errors: 0, outputTokensEstimate: 0, maxTimeMs: 0, timedCalls: 0 }
}

/** Characters of text in a tool's output; images have none. */
function outputLength(output: ToolOutput): number {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return output.text.length
    case 'diff':
      return output.fileDiff.length
    case 'todos':
      return sum(output.todos.map((todo) => todo.description))
    case 'ansi':
      return sum(output.lines.map((line) => line.map((token) => token.text).join('')))
    case 'search':
      return output.summary.length + sum(output.matches.map((match) => match.filePath + match.line))
    case 'list':
      return output.summary.length + sum(output.files)
    case 'subagent':
      return (output.result ?? '').length
    case 'unknown':
      return (JSON.stringify(output.json) ?? '').length
    case 'image':
    case 'empty':
      return 0
  }
}

function sum(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0)
}

const QUARTER_HOUR_MS = 15 * 60_000

/** What a session spent on one model within a quarter hour, from which the days of any time zone are computed. */
export interface UsageBucket {
  /** ISO 8601, the start of the UTC quarter hour; null if neither the calls nor the session have a time. */
  quarterHour: string | null
  model: string | null
  usage: TokenUsage
  cost: Cost
  /** What `cost` paid for; left out if no price is known. */
  paidFor?: CostSplit
}

/** What a cost paid for, in USD; the rest is new input. */
export interface CostSplit {
  cached: number
  /** Surcharge of a higher rate for long inputs over the lowest rate. */
  surcharge: number
  answers: number
  thinking: number
}

/** Everything the session spent; includes superseded calls, but not copies. A call without a time counts at the session's start. */
export function usageBuckets(
  session: Session,
  priceCall: PriceCall,
  splitCost: (message: Message) => CostSplit | null = () => null,
): UsageBucket[] {
  const buckets = new Map<string, UsageBucket>()
  for (const message of spentMessages(session)) {
    const usage = spentUsage(message)
    if (usage.calls === 0 && usage.total === 0) continue
    const quarterHour = quarterHourOf(message.timestamp) ?? quarterHourOf(session.startTime)
    const cost = spentCost(message, priceCall)
    const key = `${quarterHour}\n${message.model}`
    const bucket = buckets.get(key)
    const paidFor = addSplits(bucket?.paidFor ?? null, splitCost(message))
    buckets.set(key, {
      quarterHour,
      model: message.model,
      usage: bucket === undefined ? usage : addUsage(bucket.usage, usage),
      cost: bucket === undefined ? cost : addCost(bucket.cost, cost),
      ...(paidFor !== null && { paidFor }),
    })
  }
  return [...buckets.values()]
}

/** Sum of two splits, as exact as that of costs; null if neither is known. */
export function addSplits(a: CostSplit | null, b: CostSplit | null): CostSplit | null {
  if (a === null || b === null) return a ?? b
  const sum = (kind: keyof CostSplit) =>
    addCost({ usd: a[kind], unpricedCalls: 0 }, { usd: b[kind], unpricedCalls: 0 }).usd ?? 0
  return {
    cached: sum('cached'),
    surcharge: sum('surcharge'),
    answers: sum('answers'),
    thinking: sum('thinking'),
  }
}

function quarterHourOf(time: string | null): string | null {
  const timeMs = Date.parse(time ?? '')
  if (Number.isNaN(timeMs)) return null
  return new Date(Math.floor(timeMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS).toISOString()
}
