import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isPrompt } from '../messages/message-kinds.ts'
import { messageText } from '../messages/message-text.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'
import { isRefusal } from './is-refusal.ts'

/** A turn that nobody took back and whose request failed. */
export interface FailedTurn {
  prompt: Message
  /** The notice that says why; null where nothing was recorded. */
  refusal: Message | null
  /** A part of an answer was recorded before. */
  isAnswered: boolean
  /** What the CLI took out of its own state because of the failure (0.57+); no person took it back. */
  dropped: Message[]
}

/** Everything that failed in a session. Here alone is said what that is. */
export interface Failures {
  /** Messages with a failed call, ever recorded; a call that a rewrite repeats counts once. */
  calls: { message: Message; count: number }[]
  /** Notices of requests that the API refused. */
  refusals: Message[]
  /** Those without any answer: of main sessions only; whether one is still being answered only who watches can tell. */
  turns: FailedTurn[]
}

/** What failed: calls of tools, requests that the API refused, and prompts without an answer. */
export function findFailures(session: Pick<Session, 'kind' | 'messages' | 'files'>): Failures {
  // A damaged file may repeat what a whole one holds, and its figures are 0 (contract rule 7).
  if (isDamagedSession(session)) return { calls: [], refusals: [], turns: [] }
  const { messages } = session
  return {
    calls: failedCalls(messages),
    refusals: messages.filter(isRefusal),
    turns: failedTurns(messages).filter(({ isAnswered }) => isAnswered || session.kind === 'main'),
  }
}

function failedCalls(messages: readonly Message[]): Failures['calls'] {
  const calls = new RecordedCalls()
  return messages.flatMap((message) => {
    const count = calls.newIn(message).filter(({ failed }) => failed).length
    return count === 0 ? [] : [{ message, count }]
  })
}

function failedTurns(messages: readonly Message[]): FailedTurn[] {
  // What goes on under a new id is judged where it goes on.
  const repeated = new Set(messages.map(({ copyOf }) => copyOf))
  const found: FailedTurn[] = []
  const starts = messages.flatMap((message, index) => (isPrompt(message) ? index : []))
  for (const [number, start] of starts.entries()) {
    const prompt = messages[start]
    if (prompt === undefined || repeated.has(prompt.key) || isTakenBack(prompt) || isForTheCli(prompt))
      continue
    const failed = judgeTurn(prompt, messages.slice(start + 1, starts[number + 1]))
    if (failed !== null) found.push(failed)
  }
  return found
}

/** null: it was answered to its end, or the person cancelled it. */
function judgeTurn(prompt: Message, others: readonly Message[]): FailedTurn | null {
  if (others.some(isCancelled)) return null
  const isAnswered = others.some(isAnswer)
  const refusal = isAnswered ? refusalAtEnd(others) : (others.find(isRefusal) ?? null)
  if (isAnswered && refusal === null) return null
  const dropped = [prompt, ...others].filter(({ superseded }) => superseded === 'aborted')
  return { prompt, refusal, isAnswered, dropped }
}

/** A request that failed and was made again ended nothing. */
function refusalAtEnd(others: readonly Message[]): Message | null {
  return others.slice(others.findLastIndex(isAnswer) + 1).find(isRefusal) ?? null
}

/** By the person. A refused request takes its prompt back as well, and that is what `aborted` alone means. */
function isTakenBack({ superseded }: Message): boolean {
  return superseded === 'rewound' || superseded === 'replaced'
}

/** Commands that the CLI answers itself, and what was run in shell mode. */
function isForTheCli(prompt: Message): boolean {
  return FOR_THE_CLI.test(messageText(prompt))
}

const FOR_THE_CLI = /^(?:\/\w|\?|I ran the following shell command:)/

function isAnswer({ origin }: Message): boolean {
  return origin === 'model' || origin === 'tool-result'
}

function isCancelled(message: Message): boolean {
  return message.origin === 'cli' && /^Request cancelled/i.test(messageText(message))
}
