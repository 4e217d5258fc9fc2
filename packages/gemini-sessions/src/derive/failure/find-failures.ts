import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { isDamagedSession } from '../is-damaged-session.ts'
import { isPrompt } from '../is-prompt.ts'
import { messageText } from '../message-text.ts'
import { isRefusal } from './is-refusal.ts'

/** A prompt that nobody took back and that has no answer. */
export interface UnansweredPrompt {
  prompt: Message
  /** The notice that says why; null where nothing was recorded. */
  refusal: Message | null
}

/** Everything that failed in a session. Here alone is said what that is. */
export interface Failures {
  /** Messages with a failed call, ever recorded; a call that a rewrite repeats counts once. */
  calls: { message: Message; count: number }[]
  /** Notices of requests that the API refused. */
  refusals: Message[]
  /** Of main sessions; whether one is still being answered only who watches can tell. */
  unanswered: UnansweredPrompt[]
}

/** What failed: calls of tools, requests that the API refused, and prompts without an answer. */
export function findFailures(session: Pick<Session, 'kind' | 'messages' | 'files'>): Failures {
  // A damaged file may repeat what a whole one holds, and its figures are 0 (contract rule 7).
  if (isDamagedSession(session)) return { calls: [], refusals: [], unanswered: [] }
  const { messages } = session
  return {
    calls: failedCalls(messages),
    refusals: messages.filter(isRefusal),
    unanswered: session.kind === 'main' ? unansweredPrompts(messages) : [],
  }
}

function failedCalls(messages: readonly Message[]): Failures['calls'] {
  const counted = new Set<string>()
  return messages.flatMap((message) => {
    if (message.copyOf !== null) return []
    let count = 0
    for (const { id, failed } of message.toolCalls) {
      if (id !== '' && counted.has(id)) continue
      counted.add(id)
      if (failed) count += 1
    }
    return count === 0 ? [] : [{ message, count }]
  })
}

function unansweredPrompts(messages: readonly Message[]): UnansweredPrompt[] {
  // What goes on under a new id is judged where it goes on.
  const repeated = new Set(messages.map(({ copyOf }) => copyOf))
  const found: UnansweredPrompt[] = []
  const starts = messages.flatMap((message, index) => (isPrompt(message) ? index : []))
  for (const [number, start] of starts.entries()) {
    const prompt = messages[start]
    if (prompt === undefined || repeated.has(prompt.key) || isTakenBack(prompt) || isForTheCli(prompt))
      continue
    const turn = messages.slice(start + 1, starts[number + 1])
    if (turn.some(isAnswer) || turn.some(isCancelled)) continue
    found.push({ prompt, refusal: turn.find(isRefusal) ?? null })
  }
  return found
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
