import { DEPTHS, type Depth, type PartQuery } from '@gemini-dash/api'
import { FATE_WORDS } from '@gemini-dash/api/fate-words'
import type { Message, Origin, Superseded, ToolCall, ToolOutput, Turn } from 'gemini-sessions'

/** What of a session is told. `message`, `turnOf`: keys of messages. Nothing given: all of it. */
export interface Choice extends Partial<Pick<PartQuery, 'turn' | 'last'>> {
  message?: string | undefined
  /** The turn that this message is in. */
  turnOf?: string | undefined
}

interface ToldSession {
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
  /** Number of the turn that it begins; 0: what was before the first prompt. */
  begins: number | null
}

/** The messages that a choice means, in order; null where there is no such message or turn. */
export function chooseMessages(session: ToldSession, choice: Choice = {}): ToldMessage[] | null {
  const turns = wantedTurns(session, choice)
  const told = turns.flatMap(({ number, start, end, failure }) =>
    session.messages.slice(start, end).map(
      (message, place): ToldMessage => ({
        message,
        fate: message.superseded === 'aborted' && failure !== null ? null : message.superseded,
        closing: start + place === end - 1 ? (failure?.text ?? null) : null,
        begins: place === 0 ? number : null,
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
  number: number
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

/** Who made a message, wherever a conversation is written. */
export const SPEAKERS: Readonly<Record<Origin, string>> = {
  human: 'You',
  model: 'Gemini',
  'tool-result': 'Tool result',
  injected: 'Injected by the CLI',
  cli: 'Gemini CLI',
}

/** What a call gave, as plain text: of an edit what it changed, else what the model got back. '' where there is nothing. */
export function resultText({ display, output }: ToolCall): string {
  return outputText(display?.kind === 'diff' ? display : output)
}

/** What became of a failed call, as one more word behind how it ended; none for every other call. */
export function fateWords({ fate }: ToolCall): string[] {
  return fate === undefined ? [] : [FATE_WORDS[fate.kind]]
}

/** What a tool gave back, as plain text; '' where there is none. */
function outputText(output: ToolOutput): string {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return output.text
    case 'diff':
      return output.fileDiff === '' ? (output.newContent ?? '') : output.fileDiff
    case 'ansi':
      return output.lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
    case 'search':
      return [
        output.summary,
        ...output.matches.map(({ filePath, lineNumber, line }) => `${filePath}:${lineNumber ?? ''}: ${line}`),
      ].join('\n')
    case 'list':
      return [output.summary, ...output.files, ...output.skipped.map((file) => `skipped: ${file}`)].join('\n')
    case 'todos':
      return output.todos.map(({ status, description }) => `[${status}] ${description}`).join('\n')
    case 'subagent':
      return output.result ?? ''
    case 'image':
      return `[image, ${output.mimeType}]`
    case 'unknown':
      return JSON.stringify(output.json, null, 2) ?? ''
    case 'empty':
      return ''
  }
}

/** Where only one of output and display is written, the other needs not be examined. */
export function withResultsOnly(message: Message): Message {
  return { ...message, toolCalls: message.toolCalls.map(withResultOnly) }
}

function withResultOnly(call: ToolCall): ToolCall {
  if (call.display?.kind !== 'diff') return { ...call, display: null }
  const { fileDiff } = call.display
  const display =
    fileDiff === '' ? call.display : { ...call.display, originalContent: null, newContent: null }
  return { ...call, display, output: { kind: 'empty' } }
}
