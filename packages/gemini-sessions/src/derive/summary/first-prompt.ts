import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { splitContext } from '../../parse/lift/prompt/split-context.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isPrompt } from '../messages/message-kinds.ts'
import { messageText, oneLine, promptLine } from '../messages/message-text.ts'

const MAX_LENGTH = 300

/**
 * The prompt that says what a session is about: the first that is no command and was not taken back. A refused or
 * compacted one counts (contract rule 5). For a sub-agent, the task it was given.
 */
export function firstPrompt(session: Session): string | null {
  const lineOf = (message: Message) =>
    session.kind === 'subagent' ? taskLine(message) : promptLine(message, MAX_LENGTH)
  const prompts = candidates(session)
  return earliestLine(prompts, lineOf) ?? firstLine(prompts, lineOf, isSpoken) ?? firstLine(prompts, lineOf)
}

type LineOf = (message: Message) => string

/**
 * Of several files the older one's prompts may stand further down: the first of equal or unknown times is taken. The line
 * is made of those only that may be it: a long session has thousands of prompts.
 */
function earliestLine(prompts: readonly Message[], lineOf: LineOf): string | null {
  let earliest: { line: string; timeMs: number } | null = null
  for (const prompt of prompts) {
    const timeMs = Date.parse(prompt.timestamp ?? '')
    const isEarlier = earliest === null || timeMs < earliest.timeMs
    if (!isEarlier || prompt.superseded === 'rewound') continue
    const line = lineOf(prompt)
    if (line !== '' && isSpoken(line)) earliest = { line, timeMs }
  }
  return earliest?.line ?? null
}

function firstLine(
  prompts: readonly Message[],
  lineOf: LineOf,
  fits: (line: string) => boolean = () => true,
): string | null {
  for (const prompt of prompts) {
    const line = lineOf(prompt)
    if (line !== '' && fits(line)) return line
  }
  return null
}

function isSpoken(line: string): boolean {
  return !COMMAND.test(line)
}

function candidates(session: Session): Message[] {
  if (session.kind === 'subagent') {
    return session.messages.filter(({ type, origin }) => type === 'user' && origin !== 'tool-result')
  }
  const drawn = session.buried ? drawnMessages(session).filter(isPrompt) : []
  return drawn.length > 0 ? drawn : session.messages.filter(isPrompt)
}

/** A session context may stand before the task, in a row of its own or in the same one (0.44+). */
function taskLine(message: Message): string {
  return oneLine(splitContext(messageText(message)).rest, MAX_LENGTH)
}

/** Slash, help and shell commands: what the CLI itself does not take for a conversation, and `!ls`. */
const COMMAND = /^[/?!]/
