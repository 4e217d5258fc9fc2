import { DEPTHS, type Depth, type PartQuery } from '@gemini-dash/api'
import type { Message, Superseded, Turn } from 'gemini-sessions'

/** What of a session is told. `message`, `turnOf`: keys of messages. Nothing given: all of it. */
export interface Choice extends Partial<Pick<PartQuery, 'turn' | 'last'>> {
  message?: string | undefined
  /** The turn that this message is in. */
  turnOf?: string | undefined
}

export interface ToldSession {
  messages: readonly Message[]
  turns: readonly Pick<Turn, 'number' | 'firstOffset' | 'failure'>[]
  /** It is being written: a prompt that nothing answered may yet be. */
  isLive: boolean
}

/** One message of what is told, perhaps still without its large texts. */
export interface ToldMessage {
  message: Message
  /** What became of it; what went with a failed request, no person took back. */
  fate: Superseded | null
  /** The line that ends its turn, whose request failed. */
  closing: string | null
}

/** The messages that a choice means, in order; null where there is no such message or turn. */
export function chooseMessages(session: ToldSession, choice: Choice = {}): ToldMessage[] | null {
  const turns = wantedTurns(session, choice)
  const told = turns.flatMap(({ start, end, failure }) =>
    session.messages.slice(start, end).map(
      (message, place): ToldMessage => ({
        message,
        fate: message.superseded === 'aborted' && failure !== null ? null : message.superseded,
        closing: start + place === end - 1 ? (failure?.text ?? null) : null,
      }),
    ),
  )
  const { message: key } = choice
  const wanted = key === undefined ? told : told.filter(({ message }) => message.key === key)
  if (wanted.length === 0 && session.messages.length > 0) return null
  return key === undefined ? wanted : wanted.map((each) => ({ ...each, closing: null }))
}

/** As it is told. null for a message of which nothing is, but the line that ends its turn. */
export interface CutMessage extends Omit<ToldMessage, 'message'> {
  message: Message | null
}

/** Read whole and cut to a depth, so many at a time that memory stays small. */
export async function* readChosen(
  chosen: readonly ToldMessage[],
  depth: Depth,
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): AsyncGenerator<CutMessage> {
  for (let start = 0; start < chosen.length; start += BATCH_MESSAGES) {
    const batch = chosen.slice(start, start + BATCH_MESSAGES)
    const whole = await restore(batch.map(({ message }) => message))
    for (const [place, each] of batch.entries()) {
      yield* cutToDepth([{ ...each, message: whole[place] ?? each.message }], depth)
    }
  }
}

/** A turn that failed says so at every depth, but among prompts alone. */
export function* cutToDepth(chosen: Iterable<ToldMessage>, depth: Depth): Generator<CutMessage> {
  for (const told of chosen) {
    const message = atDepth(told.message, depth)
    const closing = depth === 'prompts' ? null : told.closing
    if (message !== null || closing !== null) yield { ...told, message, closing }
  }
}

/**
 * What of a message is told at a depth; null: nothing. `prompts`: what the person typed. `talk`: answers, and what went
 * wrong. `thoughts`. `tools`: calls with what they were given and gave. `all`: attached files, what the CLI added, its notices.
 */
function atDepth(message: Message, depth: Depth): Message | null {
  const holds = (other: Depth) => DEPTHS.indexOf(depth) >= DEPTHS.indexOf(other)
  if (holds('all')) return message
  if (!holds(leastDepth(message))) return null
  const told = {
    ...message,
    attachments: [],
    thoughts: holds('thoughts') ? message.thoughts : [],
    toolCalls: holds('tools') ? message.toolCalls : [],
  }
  const isSilent = [told.content, told.thoughts, told.toolCalls].every((list) => list.length === 0)
  return isSilent && message.type === 'gemini' ? null : told
}

/** Where something of the message is told for the first time. */
function leastDepth({ type, origin, agentKey }: Message): Depth {
  if (type === 'gemini' || type === 'error' || type === 'warning') return 'talk'
  return type === 'user' && origin === 'human' && agentKey === null ? 'prompts' : 'all'
}

const BATCH_MESSAGES = 100

interface Span {
  start: number
  end: number
  failure: Turn['failure']
}

function wantedTurns({ messages, turns, isLive }: ToldSession, choice: Choice): Span[] {
  const { turnOf, turn: wanted, last } = choice
  const spans = turns.map(({ number, firstOffset, failure }, index) => ({
    number,
    start: firstOffset,
    end: turns[index + 1]?.firstOffset ?? messages.length,
    // only a notice tells while the session is being written: the answer may yet come
    failure: isLive && failure?.noticeKey == null ? null : failure,
  }))
  const at = turnOf === undefined ? null : messages.findIndex(({ key }) => key === turnOf)
  const meant = spans.filter(
    ({ number, start, end }) =>
      (at === null || (at >= start && at < end)) && (wanted === undefined || number === wanted),
  )
  return last === undefined ? meant : meant.slice(-last)
}
