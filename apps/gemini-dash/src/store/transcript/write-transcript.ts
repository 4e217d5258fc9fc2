import type { TranscriptQuery } from '@gemini-dash/api'
import {
  type FailedTurn,
  failedTurnSentence,
  findFailures,
  isPrompt,
  type Message,
  type Session,
} from 'gemini-sessions'
import { messageTranscript } from './message-transcript.ts'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/**
 * A message, a turn or a session as text; null where there is no such message or turn. A turn whose request failed ends
 * with the line that says why, as on the page. `restore` brings what is not held.
 */
export async function writeTranscript(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { as, message, turnOf, isLive = false }: TranscriptQuery & { isLive?: boolean },
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<string | null> {
  const { messages } = session
  const wanted = choose(messages, message, turnOf)
  if (wanted.length === 0 && messages.length > 0) return null
  const failed = findFailures(session).turns.filter(({ refusal }) => refusal !== null || !isLive)
  const closings = message === undefined ? closingLines(messages, failed) : NOTHING
  // no person took back what went with a failed request
  const dropped = new Set(failed.flatMap((turn) => turn.dropped.map(({ key }) => key)))
  const blocks: string[] = []
  for (let start = 0; start < wanted.length; start += BATCH_MESSAGES) {
    for (const each of await restore(wanted.slice(start, start + BATCH_MESSAGES))) {
      const fate = dropped.has(each.key) ? null : each.superseded
      const text = messageTranscript({ ...each, superseded: fate }, { as, hasHead: message === undefined })
      if (text !== '') blocks.push(text)
      const closing = closings.get(each.key)
      if (closing !== undefined) blocks.push(as === 'markdown' ? `**${closing}**` : closing)
    }
  }
  return `${blocks.join('\n\n')}\n`
}

const NOTHING: ReadonlyMap<string, string> = new Map()

/** By the key of the last message of each turn that failed. */
function closingLines(messages: readonly Message[], failed: readonly FailedTurn[]): Map<string, string> {
  const sentences = new Map(failed.map((turn) => [turn.prompt.key, failedTurnSentence(turn)]))
  const lines = new Map<string, string>()
  let sentence: string | undefined
  for (const [position, message] of messages.entries()) {
    if (isPrompt(message)) sentence = sentences.get(message.key)
    const next = messages[position + 1]
    if (sentence !== undefined && (next === undefined || isPrompt(next))) lines.set(message.key, sentence)
  }
  return lines
}

function choose(
  messages: readonly Message[],
  messageKey: string | undefined,
  turnOf: string | undefined,
): readonly Message[] {
  if (messageKey !== undefined) return messages.filter(({ key }) => key === messageKey)
  return turnOf === undefined ? messages : turnAround(messages, turnOf)
}

/** From the prompt before a message to the next; what stands before the first prompt is a turn too. */
function turnAround(messages: readonly Message[], messageKey: string): readonly Message[] {
  const position = messages.findIndex(({ key }) => key === messageKey)
  if (position === -1) return []
  const start = messages.slice(0, position + 1).findLastIndex(isPrompt)
  const next = messages.findIndex((message, index) => index > position && isPrompt(message))
  return messages.slice(Math.max(start, 0), next === -1 ? undefined : next)
}
