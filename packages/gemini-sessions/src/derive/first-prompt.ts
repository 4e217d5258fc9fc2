import type { Message } from '../model/message.ts'
import type { Session } from '../model/session.ts'
import { splitContext } from '../parse/lift/split-context.ts'
import { drawnMessages } from './drawn-messages.ts'
import { isPrompt } from './is-prompt.ts'
import { messageText } from './message-text.ts'
import { oneLine } from './one-line.ts'
import { promptLine } from './prompt-line.ts'

const MAX_LENGTH = 300

/**
 * The prompt that says what a session is about: the first that is no command and was not taken back. A refused or
 * compacted one counts (contract rule 5). For a sub-agent, the task it was given.
 */
export function firstPrompt(session: Session): string | null {
  const lines = candidates(session)
    .map((message) => ({
      line: session.kind === 'subagent' ? taskLine(message) : promptLine(message, MAX_LENGTH),
      isTakenBack: message.superseded === 'rewound',
      timeMs: Date.parse(message.timestamp ?? ''),
    }))
    .filter(({ line }) => line !== '')
  const spoken = lines.filter(({ line }) => !COMMAND.test(line))
  const kept = spoken.filter(({ isTakenBack }) => !isTakenBack)
  return (earliest(kept) ?? spoken[0] ?? lines[0])?.line ?? null
}

/** Of several files the older one's prompts may stand further down: the first of equal or unknown times is taken. */
function earliest<T extends { timeMs: number }>(prompts: readonly T[]): T | undefined {
  return prompts.reduce<T | undefined>(
    (first, prompt) => (first === undefined || prompt.timeMs < first.timeMs ? prompt : first),
    undefined,
  )
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
