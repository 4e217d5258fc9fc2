import { type MessageQuery, messageFilterSchema } from '@gemini-dash/api'
import { CHART_STEPS } from '@gemini-dash/api/paths'
import { type PriceOverrides, pricerOf, reportCost, whatIf } from '@gemini-dash/pricing'
import type {
  HeldSessions,
  SessionAsk,
  SessionMaker,
  StoredMessage,
  StoredMessages,
} from '@gemini-dash/session-index'
import {
  buildOutline,
  failedKeys,
  linkAgentCalls,
  linkFates,
  linkTodoLists,
  type Message,
  mayStartAgent,
  priceMessages,
  type Session,
  spentMessages,
} from 'gemini-sessions'
import { columnCalls, stepCalls } from '../column-calls.ts'
import { cutForWire } from '../cut-for-wire.ts'
import { mapSession, tableRows } from '../map-session.ts'
import { fitsFilter, pageOfShown } from '../message-page.ts'
import { rawRecord } from '../raw-record.ts'
import { type Written, write } from '../written-messages.ts'
import { detailOf } from './make-detail.ts'
import { outputOf, partOf } from './message-parts.ts'
import type { ReaderAnswer, ReaderArgs, ReaderQuestion } from './reader-client.ts'
import { SessionAnswerer, ShelvedSessions } from './session-answerer.ts'
import { ChangedFileError } from './session-place.ts'

/** What a page of messages needs to know about all of them. */
interface PageFacts {
  /** One character per message: its bits, starting at `FIRST`. */
  bits: string
  /** What the whole session reveals about calls: by position of the message, and of the call in it. */
  links: Record<number, (Pick<Message['toolCalls'][number], 'fate' | 'display'> | null)[]>
  /** Positions of the messages whose calls may have started a sub-agent. */
  starters: number[]
}

const FILTERS = messageFilterSchema.options
const SUPERSEDED = 1 << FILTERS.length
const FIRST = '0'.charCodeAt(0)

const NAMES = {
  detail: 'detail',
  map: 'map',
  page: 'page',
  cost: 'cost',
  whatIf: 'what-if',
  calls: (steps: number | undefined) => `calls ${steps ?? 'each'}`,
}

/** Computed in advance for a long session, so that its page does not have to process all of its messages. */
function deriveLong(
  session: Session,
  prices: PriceOverrides | undefined,
): [name: string, json: Uint8Array][] {
  const priced = priceMessages(session.messages, pricerOf(prices))
  const messages = linkFates(priced, session)
  const outline = buildOutline({ ...session, messages })
  const derived: [string, unknown][] = [
    [NAMES.detail, detailOf({ session, messages, outline, prices })],
    [NAMES.map, mapSession(session)],
    [NAMES.page, pageFacts(session, messages)],
    [NAMES.cost, reportCost(spentMessages(session), prices)],
    [NAMES.whatIf, whatIf(spentMessages(session), prices)],
    [NAMES.calls(undefined), columnCalls(outline.calls, prices)],
    [NAMES.calls(CHART_STEPS), stepCalls(outline.calls, prices, CHART_STEPS)],
  ]
  return derived.map(([name, value]) => [name, write(value).json])
}

function pageFacts(session: Session, messages: readonly Message[]): PageFacts {
  const failed = failedKeys(session)
  const linked = linkTodoLists(messages, messages)
  const links: PageFacts['links'] = {}
  for (const [ordinal, { toolCalls }] of linked.entries()) {
    const ofCalls = toolCalls.map(({ fate, display }) =>
      fate === undefined && display?.kind !== 'todos'
        ? null
        : { ...(fate && { fate }), display: display?.kind === 'todos' ? display : null },
    )
    if (ofCalls.some((link) => link !== null)) links[ordinal] = ofCalls
  }
  return {
    bits: messages.map((message) => String.fromCharCode(FIRST + bitsOf(message, failed))).join(''),
    links,
    starters: messages.flatMap(({ toolCalls }, ordinal) => (toolCalls.some(mayStartAgent) ? ordinal : [])),
  }
}

function bitsOf(message: Message, failed: ReadonlySet<string>): number {
  const fits = FILTERS.map((filter) => (fitsFilter(message, filter, failed) ? 1 : 0))
  return fits.reduce<number>(
    (bits, fit, index) => bits | (fit << index),
    message.superseded === null ? 0 : SUPERSEDED,
  )
}

/** undefined: answering requires reading its files. */
function answerLong<Q extends ReaderQuestion>(
  question: Q,
  args: ReaderArgs<Q>,
  stored: StoredMessages,
): unknown {
  const answer = ANSWERS[question]
  // each takes the arguments of its question: see MAKERS
  return answer?.(stored, args as never)
}

type Answers = {
  [Q in ReaderQuestion]?: (stored: StoredMessages, args: ReaderArgs<Q>) => ReaderAnswer<Q> | undefined
}

/** An unanswered prompt has failed, unless the session is still being written: the stored data assumes that it has failed. */
const ANSWERS: Answers = {
  detail: (stored) => derived(stored, NAMES.detail),

  map: (stored, { isLive }) => (isLive === true ? undefined : derived(stored, NAMES.map)),

  calls: (stored, { asked: { steps } }) => derived(stored, NAMES.calls(steps)),

  cost: (stored) => parsed(stored, NAMES.cost),

  'what-if': (stored) => parsed(stored, NAMES.whatIf),

  messages: (stored, args) => answerPage(stored, args),

  tableRows: (stored, { source, asked: { isSpent } }) =>
    tableRows(stored.all(), pricerOf(source.prices), isSpent),

  'messages/:messageKey/raw': (stored, { asked: { messageKey } }) => {
    const found = stored.withKey(messageKey)
    const bytes = found && stored.recordOf(found)
    return found && bytes ? rawRecord(found.message, bytes) : undefined
  },

  'messages/:messageKey/parts/:index': (stored, { asked: { messageKey, index } }) => {
    const message = wholeOf(stored, stored.withKey(messageKey))
    return message && partOf(message, index)
  },

  'tool-calls/:callId/output': (stored, { asked: { callId, of } }) => {
    const message = wholeOf(stored, stored.withCall(callId))
    return message && outputOf(message, callId, of)
  },
}

function derived<Answer>(stored: StoredMessages, name: string): Written<Answer> | undefined {
  const json = stored.derived(name)
  return json === null ? undefined : { json }
}

/** For answers that another thread adds something to. */
function parsed<Answer>(stored: StoredMessages, name: string): Answer | undefined {
  const json = stored.derived(name)
  return json === null ? undefined : JSON.parse(new TextDecoder().decode(json))
}

function wholeOf(stored: StoredMessages, found: StoredMessage | null): Message | undefined {
  return found === null ? undefined : stored.whole([found])?.[0]
}

function answerPage(
  stored: StoredMessages,
  { asked: query, source, shownKey, subagents, isLive }: ReaderArgs<'messages'>,
): ReaderAnswer<'messages'> | undefined {
  const json = stored.derived(NAMES.page)
  if (json === null || (isLive === true && query.show === 'errors')) return undefined
  const facts: PageFacts = JSON.parse(new TextDecoder().decode(json))
  const page = pageOfShown(positionsShown(facts.bits, query), query, (key) => stored.ordinalOf(key))
  const messages = stored.whole(stored.at(page.positions))
  if (messages === null) return undefined
  const agents = agentKeys(stored, facts.starters, subagents)
  const linked = messages.map((message, index) => {
    const ordinal = page.positions[index] ?? 0
    return withAgents(withLinks(message, facts.links[ordinal]), agents.get(ordinal))
  })
  const priced = priceMessages(linked, pricerOf(source.prices))
  const { positions, ...shown } = page
  return {
    ...shown,
    messages: priced.map((message) => cutForWire(message, shownKey)),
    ...(query.show !== undefined && { positions }),
    partial: false,
    state: source.fingerprint,
  }
}

function positionsShown(bits: string, { show, superseded }: MessageQuery): number[] {
  const wanted = show === undefined ? 0 : 1 << FILTERS.indexOf(show)
  const unwanted = superseded === 'include' ? 0 : SUPERSEDED
  const positions: number[] = []
  for (let at = 0; at < bits.length; at += 1) {
    const its = bits.charCodeAt(at) - FIRST
    if ((its & wanted) === wanted && (its & unwanted) === 0) positions.push(at)
  }
  return positions
}

function withLinks(message: Message, links: PageFacts['links'][number] | undefined): Message {
  if (links === undefined) return message
  const toolCalls = message.toolCalls.map((call, index) => {
    const link = links[index]
    if (link == null) return call
    return { ...call, ...(link.fate && { fate: link.fate }), display: link.display ?? call.display }
  })
  return { ...message, toolCalls }
}

/** By position of the message: the sub-agents that its calls started, according to all calls of the session. */
function agentKeys(
  stored: StoredMessages,
  starters: readonly number[],
  subagents: ReaderArgs<'messages'>['subagents'],
): Map<number, (string | null)[]> {
  if (subagents.length === 0) return new Map()
  const starting = stored.at(starters)
  const linked = linkAgentCalls(
    starting.map(({ message }) => message),
    subagents,
  )
  return new Map(
    linked.map(({ toolCalls }, index) => [
      starting[index]?.ordinal ?? 0,
      toolCalls.map(({ agentKey }) => agentKey),
    ]),
  )
}

function withAgents(message: Message, keys: (string | null)[] | undefined): Message {
  if (keys === undefined) return message
  const toolCalls = message.toolCalls.map((call, index) => ({
    ...call,
    agentKey: keys[index] ?? call.agentKey,
  }))
  return { ...message, toolCalls }
}

/** Slow questions and large answers: a separate thread answers these, so that the index can continue. */
const FOR_READERS = new Set<ReaderQuestion>([
  'whole',
  'records',
  'find',
  'transcript',
  'handover',
  'neighbours',
  'neighbours/:fileId',
  'export',
  'exportReview',
  'tableTexts',
  'exportPictures',
  'exportAgents',
])

/** By group, while a question about it is being answered. */
const held = new Map<string, HeldSessions>()

/** Answers from what the index thread holds anyway. */
const answerer = new SessionAnswerer({
  read: async ({ id }) => {
    const sessions = held.get(id)
    if (sessions === undefined) throw new ChangedFileError('It is not held any more.')
    return new ShelvedSessions(sessions.sessions, sessions.putAside)
  },
  holds: () => true,
  drop: () => {},
})

export const indexMaker: SessionMaker = {
  derive: deriveLong,
  answerHeld: async (asked, sessions) => {
    const [question, args] = typed(asked)
    if (FOR_READERS.has(question)) return undefined
    const { id } = args.source
    held.set(id, sessions)
    try {
      return await answerer.answer(question, args)
    } catch (error) {
      if (error instanceof ChangedFileError) return undefined
      throw error
    } finally {
      if (held.get(id) === sessions) held.delete(id)
    }
  },
  answerStored: async (asked, stored) => answerLong(...typed(asked), stored),
}

function typed({ question, args }: SessionAsk): [ReaderQuestion, ReaderArgs<ReaderQuestion>] {
  return [question as ReaderQuestion, args as ReaderArgs<ReaderQuestion>]
}
