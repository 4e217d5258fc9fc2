import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { openCommands } from '../failure/failed-calls.ts'
import { failedTurnSentence } from '../failure/failed-turn-sentence.ts'
import { findFailures } from '../failure/find-failures.ts'
import type { FailedRun } from '../failure/find-runs.ts'
import { isRefusal } from '../failure/is-refusal.ts'
import { readApiError } from '../failure/read-api-error.ts'
import { isCommand } from '../failure/run-subject.ts'
import { callLine } from '../messages/call-line.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isConversationMessage, isPrompt } from '../messages/message-kinds.ts'
import { messageText, oneLine } from '../messages/message-text.ts'

/** The first sentence is looked for here; an answer can have megabytes. */
const MAX_LOOKED_AT = 4_000

const MAX_LENGTH = 120

/** "Done." says nothing of what was done, so that the sentence after it is told as well. */
const MIN_TELLING_LENGTH = 9

let segmenter: Intl.Segmenter | null = null

type Outcome = NonNullable<SessionSummary['outcome']>

const MAX_CALL_LENGTH = 60
const MAX_ERROR_LENGTH = 120
const STOPPED = /^Request cancelled|^Response (?:truncated|stopped) due to/i

/**
 * How the session ended, with a sentence and the message that tells. `live` is set by whoever watches the files.
 *
 * @param failed its failed runs: while a command is open nothing has finished
 */
export function sessionOutcome(session: Session, failed: readonly FailedRun[]): Outcome {
  const { messages } = session
  if (isDamagedSession(session)) return outcome('empty', 'Its file is damaged')
  if (!messages.some(isConversationMessage)) return outcome('empty', 'Nothing was said')
  const commands = openCommands(failed)
  const open = commands && { kind: 'error' as const, ...commands }
  if (session.kind === 'checkpoint') return open ?? outcome('finished', 'A chat that was saved')
  if (session.kind === 'prompts-only') return outcome('finished', 'Only what was typed is left')
  return failedEnd(session) ?? stoppedEnd(session) ?? open ?? finishedEnd(session)
}

function outcome(kind: Outcome['kind'], text: string, messageKey: string | null = null): Outcome {
  return { kind, text, messageKey }
}

function failedEnd(session: Session): Outcome | null {
  const { turns, refusals } = findFailures(session)
  const last = turns.at(-1)
  if (last !== undefined && last.prompt === session.messages.findLast(isPrompt)) {
    if (last.refusal === null) return outcome('unanswered', failedTurnSentence(last), last.prompt.key)
    return errorEnd(last.refusal)
  }
  const refusal = refusals.at(-1)
  return refusal !== undefined && sessionEnded(session.messages) === 'error' ? errorEnd(refusal) : null
}

/** With the API's own code where it gave one: the whole of what it said stands at the message. */
function errorEnd(refusal: Message): Outcome {
  const text = messageText(refusal)
  const error = readApiError(text)
  const said = error === null ? text : error.status || error.message
  return outcome('error', `Ended in an error: ${oneLine(said, MAX_ERROR_LENGTH)}`, refusal.key)
}

function stoppedEnd(session: Session): Outcome | null {
  const { messages } = session
  const last = drawnMessages(session).findLast(isConversationMessage)
  const call = last?.toolCalls.findLast(({ status }) => status === 'cancelled' || status === 'unanswered')
  if (last !== undefined && call !== undefined) return outcome('stopped', stoppedAt(call), last.key)
  if (sessionEnded(messages) === 'stopped')
    return outcome('stopped', 'Stopped before the answer was complete', messages.at(-1)?.key)
  const done = last?.origin === 'model' && session.kind === 'main' ? last.toolCalls.at(-1) : undefined
  // The model is asked again with each result; a sub-agent ends with a call of its own.
  if (last !== undefined && done !== undefined)
    return outcome('stopped', `Stopped after ${nameCall(done)}: no answer followed`, last.key)
  return null
}

function stoppedAt(call: ToolCall): string {
  const { output } = call
  const isDenied = output.kind === 'error' && /User (?:denied|did not allow|rejected)/i.test(output.text)
  return isDenied
    ? `Stopped: you did not allow ${nameCall(call)}`
    : `Stopped while ${nameCall(call)} was running`
}

function nameCall(call: ToolCall): string {
  const line = oneLine(callLine(call), MAX_CALL_LENGTH)
  if (isCommand(call) && line !== '') return `\`${line}\``
  return `${call.displayName ?? call.name} ${line}`.trim()
}

function finishedEnd(session: Session): Outcome {
  const answer = drawnMessages(session).findLast(({ origin, content }) => {
    return origin === 'model' && content.some((part) => part.kind === 'text' && /\S/.test(part.text))
  })
  if (answer === undefined) return outcome('finished', 'Finished')
  const sentence = firstSentence(messageText(answer))
  return outcome('finished', sentence === '' ? 'Finished' : `Finished: ${sentence}`, answer.key)
}

type Ended = SessionSummary['ended']

/**
 * How the session ended, if not well: `error` if the last word is an error notice, `stopped` if it is a cancelled or
 * aborted request or an answer cut by the token limit. Notices that tell of something else are passed over.
 */
export function sessionEnded(messages: readonly Message[]): Ended {
  for (const message of [...messages].reverse()) {
    const ended = endedBy(message)
    if (ended !== undefined) return ended
  }
  return null
}

/** undefined: this message does not say; look at the one before. */
function endedBy(message: Message): Ended | undefined {
  // After an abort the surviving history stands once more at the end, as copies.
  if (message.superseded === 'rewound' || message.copyOf !== null) return undefined
  if (message.superseded === 'aborted') return 'stopped'
  if (message.type === 'error') return isRefusal(message) ? 'error' : undefined
  if (message.origin === 'cli') return STOPPED.test(messageText(message)) ? 'stopped' : undefined
  if (message.origin === 'tool-result' || message.origin === 'injected') return undefined
  return message.toolCalls.some((call) => call.status === 'cancelled') ? 'stopped' : null
}

/** The first sentence of an answer in Markdown, without marks; '' where it holds no prose. Code and tables are none. */
function firstSentence(markdown: string): string {
  const lines = markdown
    .slice(0, MAX_LOOKED_AT)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*\|/.test(line))
  const line = lines.find((each) => !/^\s*#/.test(each)) ?? lines[0]
  if (line === undefined) return ''
  const [first = '', second = ''] = sentencesOf(withoutMarks(line))
  return oneLine(first.trim().length < MIN_TELLING_LENGTH ? first + second : first, MAX_LENGTH)
}

function sentencesOf(line: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(line)) {
    sentences.push(segment)
    if (sentences.length === 2) break
  }
  return sentences
}

/** Heads, list marks, emphasis, code and links are what they say. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`+/g, '')
    .replace(/(^|\s)[*_](\S(?:.*?\S)?)[*_](?=\W|$)/g, '$1$2')
}
