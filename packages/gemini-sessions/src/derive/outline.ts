import type { Reasoning, ReasoningCall, ReasoningStep } from '../model/insights.ts'
import type { CallPoint, Compression, Message, Session, Thought, Turn } from '../model/message.ts'
import { type Cost, NO_COST, NO_USAGE } from '../model/usage.ts'
import { failedTurnSentence, findFailures } from './failure.ts'
import {
  earliestTime,
  isDamagedSession,
  isModelCall,
  isPrompt,
  lastMessageTime,
  messageText,
  oneLine,
  promptLine,
  RecordedCalls,
  spentMessages,
} from './messages.ts'
import { addCost, type PriceCall, priceMessages, sumUsage } from './sums.ts'

/**
 * Where the context was compressed: an injected snapshot (0.44+), the empty notice (0.18+), or a segment started by
 * `/compress` (0.18 to 0.24). Marks without a model call in between belong to one compression.
 */
export function findCompressions({ messages, segments }: Session): Compression[] {
  const splits = new Set(segments.filter(({ reason }) => reason === 'compress').map((s) => s.firstOffset))
  const compressions: Compression[] = []
  let inputBefore: number | null = null
  let open: Compression | null = null
  for (const [offset, message] of messages.entries()) {
    if (splits.has(offset) || isMark(message)) {
      if (open !== null) continue
      open = { ...firstAfter(messages, offset), inputBefore, inputAfter: null }
      compressions.push(open)
    } else if (isModelCall(message) && message.usage !== null) {
      inputBefore = message.usage.input
      if (open !== null) open.inputAfter = inputBefore
      open = null
    }
  }
  return compressions
}

function isMark(message: Message): boolean {
  if (message.copyOf !== null) return false
  if (message.type === 'info') return isEmptyNotice(message)
  if (message.type !== 'user' || message.origin !== 'injected') return false
  const texts = [messageText(message), ...message.attachments.map((attachment) => attachment.text)]
  return texts.some((text) => text.trimStart().startsWith('<state_snapshot>'))
}

function isEmptyNotice(message: Message): boolean {
  return message.content.every((part) => part.kind === 'text' && part.text.trim() === '')
}

/** An empty notice ends the compressed part; a snapshot or a new segment starts the result. */
function firstAfter(messages: readonly Message[], offset: number) {
  const mark = messages[offset]
  const isClosing = mark?.type === 'info' && isEmptyNotice(mark) && messages[offset + 1] !== undefined
  const at = isClosing ? offset + 1 : offset
  const first = messages[at]
  return { messageKey: first?.key ?? '', offset: at, timestamp: mark?.timestamp ?? first?.timestamp ?? null }
}

const MAX_PROMPT_LENGTH = 200

/** Overview of a session. */
export interface Outline {
  turns: Turn[]
  /** The model calls in display order: the bars of the token chart. Copies are not calls. */
  calls: CallPoint[]
  compressions: Compression[]
}

/**
 * The session by prompts, by model calls, and by compressions; offsets are in `session.messages`. Without `priceCall`, uses the costs of
 * the messages.
 */
export function buildOutline(session: Session, priceCall?: PriceCall): Outline {
  const messages = priceCall === undefined ? session.messages : priceMessages(session.messages, priceCall)
  const starts = turnStarts(messages)
  const hasPreamble = messages.length > 0 && starts[0] !== 0
  const firstOffsets = hasPreamble ? [0, ...starts] : starts
  const failures = turnFailures(session)
  const recorded = new RecordedCalls()
  const turns = firstOffsets.map((firstOffset, index) =>
    toTurn(
      messages.slice(firstOffset, firstOffsets[index + 1]),
      {
        firstOffset,
        number: hasPreamble ? index : index + 1,
        failure: failures.get(messages[firstOffset]?.key ?? '') ?? null,
      },
      recorded,
    ),
  )
  // what a saved chat or a damaged file repeats is counted elsewhere or not at all
  const isSpent = spentMessages(session).length > 0
  const shown = isSpent ? turns : turns.map((turn) => ({ ...turn, usage: NO_USAGE, cost: NO_COST }))
  const counted = isDamagedSession(session)
    ? shown.map((turn) => ({ ...turn, toolCalls: 0, toolErrors: 0, failedKey: null }))
    : shown
  return {
    turns: counted,
    calls: isSpent ? callPoints(messages, turns) : [],
    compressions: findCompressions(session),
  }
}

function turnStarts(messages: readonly Message[]): number[] {
  const starts: number[] = []
  for (const [offset, message] of messages.entries()) if (isPrompt(message)) starts.push(offset)
  return starts
}

/** By prompt key. */
function turnFailures(session: Session): Map<string, Turn['failure']> {
  return new Map(
    findFailures(session).turns.map((turn) => [
      turn.prompt.key,
      { text: failedTurnSentence(turn), noticeKey: turn.refusal?.key ?? null },
    ]),
  )
}

function callPoints(messages: readonly Message[], turns: readonly Turn[]): CallPoint[] {
  const points: CallPoint[] = []
  for (const { firstOffset, messageCount, number } of turns) {
    for (let offset = firstOffset; offset < firstOffset + messageCount; offset += 1) {
      const message = messages[offset]
      if (message !== undefined && isModelCall(message)) points.push(toCallPoint(message, offset, number))
    }
  }
  return points
}

function toCallPoint(message: Message, offset: number, turn: number): CallPoint {
  const { key, timestamp, model, usage, cost, superseded, toolCalls } = message
  const failed = toolCalls.some((call) => call.failed)
  return { messageKey: key, offset, turn, timestamp, model, usage, cost, superseded, failed }
}

/** One turn of these priced messages. Turn 0 is everything before the first prompt. `calls` is passed from turn to turn. */
function toTurn(
  messages: readonly Message[],
  { number, firstOffset, failure }: Pick<Turn, 'number' | 'firstOffset' | 'failure'>,
  calls: RecordedCalls,
): Turn {
  const [opening] = messages
  const { cost, toolCalls, toolErrors, failedKey, thoughts } = sumUp(messages, calls)
  // Fields are listed by name: a session can have 5,000 turns, and spreading objects takes most of the time.
  return {
    number,
    messageKey: opening?.key ?? '',
    firstOffset,
    messageCount: messages.length,
    prompt: opening && number > 0 ? promptLine(opening, MAX_PROMPT_LENGTH) : '',
    startTime: opening?.timestamp ?? earliestTime(messages.map((message) => message.timestamp)),
    endTime: lastMessageTime(messages),
    superseded: opening?.superseded ?? null,
    segment: opening?.segment ?? 0,
    usage: sumUsage(messages),
    cost,
    toolCalls,
    toolErrors,
    failedKey,
    thoughts,
    failure,
  }
}

function sumUp(
  messages: readonly Message[],
  calls: RecordedCalls,
): Pick<Turn, 'cost' | 'toolCalls' | 'toolErrors' | 'failedKey' | 'thoughts'> {
  let cost: Cost = NO_COST
  let toolCalls = 0
  let toolErrors = 0
  let failedKey: string | null = null
  let thoughts = 0
  for (const message of messages) {
    if (message.cost !== null) cost = addCost(cost, message.cost)
    if (message.copyOf === null) thoughts += message.thoughts.length
    for (const { failed } of calls.newIn(message)) {
      toolCalls += 1
      if (!failed) continue
      toolErrors += 1
      failedKey ??= message.key
    }
  }
  return { cost, toolCalls, toolErrors, failedKey, thoughts }
}

const MAX_SUBJECT_LENGTH = 120

/** The model's reasoning by subject, with the time in between. Turns are numbered as in `buildOutline`. */
export function listReasoning(messages: readonly Message[]): Reasoning {
  const calls: ReasoningCall[] = []
  const tokens = { thoughts: 0, output: 0 }
  let turn = 0
  let previousTime: string | null = null
  for (const [offset, message] of messages.entries()) {
    if (isPrompt(message)) turn += 1
    if (isModelCall(message)) {
      const { key: messageKey, superseded, usage, thoughts } = message
      tokens.thoughts += usage?.thoughts ?? 0
      tokens.output += usage?.output ?? 0
      if (thoughts.length > 0)
        calls.push({
          messageKey,
          offset,
          turn,
          superseded,
          tokens: usage && { thoughts: usage.thoughts, output: usage.output },
          steps: toSteps(thoughts, previousTime),
        })
    }
    previousTime = lastInstant(message) ?? previousTime
  }
  return { calls, tokens }
}

/** The last recorded time of a message: its own, or that of a tool call that returned later. */
function lastInstant({ timestamp, toolCalls }: Message): string | null {
  return toolCalls.reduce(
    (last, call) => (call.timestamp !== null && call.timestamp > (last ?? '') ? call.timestamp : last),
    timestamp,
  )
}

function toSteps(thoughts: readonly Thought[], before: string | null): ReasoningStep[] {
  return thoughts.map(({ subject, description, timestamp }, index) => ({
    subject: oneLine(subject.trim() === '' ? description : subject, MAX_SUBJECT_LENGTH),
    timestamp,
    afterMs: timeBetween(index === 0 ? before : (thoughts[index - 1]?.timestamp ?? null), timestamp),
  }))
}

/** null also if the later one has an earlier time: clocks are adjusted, and messages are in recorded order. */
function timeBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null
  const betweenMs = Date.parse(to) - Date.parse(from)
  return betweenMs >= 0 ? betweenMs : null
}
