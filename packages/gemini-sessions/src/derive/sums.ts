import { type Cost, NO_COST, NO_USAGE, type TokenUsage } from '../model/issue.ts'
import type { BilledElsewhere, Message, Session, ToolOutput } from '../model/message.ts'
import type { SessionFailures, SessionSummary } from '../model/session-summary.ts'
import { shortKey } from './identity.ts'
import { isPrompt, messageText, RecordedCalls, spentMessages } from './messages.ts'

/** List price of one model call in USD; null where it is unknown. Handed in, so that this package knows no prices. */
export interface PriceCall {
  (call: CallToPrice): number | null
  /** The call costs at least that; left out: no call is of that kind. */
  isLeast?: (call: CallToPrice) => boolean
}

interface CallToPrice {
  model: string | null
  usage: TokenUsage
  /** ISO 8601 UTC: prices change with time. */
  timestamp: string | null
}

/** The messages with `cost` set where tokens are recorded. */
export function priceMessages(messages: readonly Message[], priceCall: PriceCall): Message[] {
  return messages.map((message) =>
    message.usage === null ? message : { ...message, cost: spentCost(message, priceCall) },
  )
}

/**
 * Cost of one message. A call without recorded tokens has no price to look up: `callsWithoutTokens` tells of it. Of one with
 * figures that are not known, or that may be billed higher, `usd` is what is known, and it is counted as unpriced.
 */
export function spentCost(message: Message, priceCall: PriceCall): Cost {
  const { usage, model, timestamp } = message
  if (usage === null || message.copyOf !== null) return NO_COST
  const call = { model, usage, timestamp }
  const usd = priceCall(call)
  const isWhole = usd !== null && usage.unknownFigures === undefined && priceCall.isLeast?.(call) !== true
  return { usd, unpricedCalls: isWhole ? 0 : 1 }
}

/** Prices are whole numbers of these per token, so sums of them are exact in whatever order and groups they are added. */
const UNITS_PER_USD = 1e11
/** About 22,500 USD. Beyond it a number can no longer tell neighbouring units apart; then plain sums are the closest. */
const MOST_UNITS = 2 ** 51

/** Sum of two costs; `usd` stays null only while neither holds a price. */
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

/** What one message spent (contract rule 11): a copy nothing, a model message without tokens still a call. */
function spentUsage(message: Message): TokenUsage {
  if (message.copyOf !== null || message.billedIn !== undefined) return NO_USAGE
  if (message.usage !== null) return countedUsage(message.usage)
  return message.origin === 'model' ? CALL_WITHOUT_TOKENS : NO_USAGE
}

/** Without what no sum has. */
function countedUsage(usage: TokenUsage): TokenUsage {
  if (usage.unknownFigures === undefined) return usage
  const { unknownFigures: _, ...counted } = usage
  return counted
}

/** Characters of a `requestId`. */
export const REQUEST_ID_LENGTH = 12

/** UUIDs and what else is drawn at random: no two requests share one. */
const RANDOM_ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/i
/** Of a text: large ones are held by their beginnings. */
const TEXT_LENGTH = 200

/**
 * Tells the id of each request of a session, message by message in their order; null: it is no request, or nothing was recorded by
 * which it could be recognized. Equal for two records of one request, in whatever sessions they are: copies, forks and imports keep ids,
 * times and tokens. An id that is not random (`turn_1`) proves that only with the same prompt and the same answer. The model is left out
 * for Antigravity CLI: its steps name none, and what a fork inherited can be without the rows that do.
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

/** The ids of all requests that a session counts, or another one for it; one string, as there are many. */
export function requestIds(session: Session): string {
  const ids = new RequestIds(session)
  const own = spentMessages(session).flatMap((message) => ids.of(message) ?? [])
  return [...own, ...(session.billedElsewhere ?? []).flatMap(({ requests }) => requests)].join('')
}

/** The session with those of its requests that another one counts (contract rule 11): they have no tokens here. */
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

/** The session that counts most of them. */
export function copiedFrom({ billedElsewhere = [] }: Session): SessionSummary['copiedFrom'] {
  const [most] = [...billedElsewhere].sort((a, b) => b.requests.length - a.requests.length)
  return most === undefined ? null : { sessionKey: most.sessionKey, requests: most.requests.length }
}

/** One tool in one session. */
export interface ToolStats {
  name: string
  calls: number
  errors: number
  /** A quarter of the characters that went back to the model. */
  outputTokensEstimate: number
  /**
   * From the answers to the results of its calls, which is at most: starts are not recorded, and waiting for the user is in
   * it. What one answer called at once counts once.
   */
  maxTimeMs: number
  /** Calls whose times are recorded. */
  timedCalls: number
}

/** The tools that a session used, superseded calls included, copies not; the busiest first. */
export function toolStats(session: Session): ToolStats[] {
  const builder = new ToolStatsBuilder()
  builder.add(spentMessages(session))
  return builder.finish()
}

/** The same of the messages that count as spent, given in order and batch by batch, with all their texts. */
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

/** Characters of text in a tool's output; pictures have none. */
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

/** What a session spent on one model within a quarter of an hour: every time zone's days are made of these. */
export interface UsageBucket {
  /** ISO 8601, the start of the UTC quarter hour; null if neither the calls nor the session have a time. */
  quarterHour: string | null
  model: string | null
  usage: TokenUsage
  cost: Cost
  /** What `cost` was paid for; left out where no price is known. */
  paidFor?: CostSplit
}

/** What a cost was paid for, in USD; what is none of these is new input. */
export interface CostSplit {
  cached: number
  /** What a higher rate for long inputs came to on top of the lowest. */
  surcharge: number
  answers: number
  thinking: number
}

/** All that the session spent, superseded calls included, copies not. A call without a time counts at the session's start. */
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

/** Sum of two splits, as exact as that of costs; null while neither is known. */
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
