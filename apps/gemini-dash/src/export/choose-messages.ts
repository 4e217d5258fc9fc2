import { DEPTHS, type Depth, type PartQuery } from '@gemini-dash/api'
import { FATE_WORDS } from '@gemini-dash/api/verdict-words'
import type { Message, Superseded, ToolCall, ToolOutput, Turn } from 'gemini-sessions'

/** The part of a session to export. `message`, `turnOf`: keys of messages. Everything if empty. */
export interface Choice extends Partial<Pick<PartQuery, 'turn' | 'last'>> {
  message?: string | undefined
  /** A message of the turn to export. */
  turnOf?: string | undefined
}

interface ChoiceSession {
  messages: readonly Message[]
  turns: readonly Pick<Turn, 'number' | 'firstOffset' | 'failure'>[]
  /** It is still being written: a prompt without an answer may still get one. */
  isLive: boolean
}

/** One chosen message, possibly without its large texts yet. */
export interface ChosenMessage {
  message: Message
  /** Whether it was superseded. null for messages that only a failed request dropped: no person took those back. */
  fate: Superseded | null
  /** The line that ends its turn, if the turn's request failed. */
  closing: string | null
  /** Number of the turn that it begins, 0 for what precedes the first prompt; null if it begins none. */
  begins: number | null
}

/** The messages that a choice selects, in order; null if there is no such message or turn. */
export function chooseMessages(session: ChoiceSession, choice: Choice = {}): ChosenMessage[] | null {
  const turns = wantedTurns(session, choice)
  const picked = turns.flatMap(({ number, start, end, failure }) =>
    session.messages.slice(start, end).map(
      (message, place): ChosenMessage => ({
        message,
        fate: message.superseded === 'aborted' && failure !== null ? null : message.superseded,
        closing: start + place === end - 1 ? (failure?.text ?? null) : null,
        begins: place === 0 ? number : null,
      }),
    ),
  )
  const { message: key } = choice
  const wanted = key === undefined ? picked : picked.filter(({ message }) => message.key === key)
  if (wanted.length === 0 && session.messages.length > 0) return null
  return key === undefined ? wanted : wanted.map((each) => ({ ...each, closing: null }))
}

/** A message cut to a depth. `message` is null if only the line that ends its turn is left. */
export interface CutMessage extends Omit<ChosenMessage, 'message'> {
  message: Message | null
}

/** Restored and cut to a depth, in batches that keep memory use small. */
export async function* readChosen(
  chosen: readonly ChosenMessage[],
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

/** The closing line of a failed turn is written at every depth except `prompts`. */
export function* cutToDepth(chosen: Iterable<ChosenMessage>, depth: Depth): Generator<CutMessage> {
  for (const picked of chosen) {
    const message = atDepth(picked.message, depth)
    const closing = depth === 'prompts' ? null : picked.closing
    if (message !== null || closing !== null) yield { ...picked, message, closing }
  }
}

/**
 * The parts of a message included at a depth; null: none. `prompts`: what the person typed. `talk`: answers, and errors. `thoughts`.
 * `tools`: tool calls with arguments and results. `all`: attached files, additions by the CLI, its notices.
 */
function atDepth(message: Message, depth: Depth): Message | null {
  const holds = (other: Depth) => DEPTHS.indexOf(depth) >= DEPTHS.indexOf(other)
  if (holds('all')) return message
  if (!holds(leastDepth(message))) return null
  const picked = {
    ...message,
    attachments: [],
    thoughts: holds('thoughts') ? message.thoughts : [],
    toolCalls: holds('tools') ? message.toolCalls : [],
  }
  const isSilent = [picked.content, picked.thoughts, picked.toolCalls].every((list) => list.length === 0)
  return isSilent && message.type === 'gemini' ? null : picked
}

/** The lowest depth that includes any part of the message. */
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

function wantedTurns({ messages, turns, isLive }: ChoiceSession, choice: Choice): Span[] {
  const { turnOf, turn: wanted, last } = choice
  const spans = turns.map(({ number, firstOffset, failure }, index) => ({
    number,
    start: firstOffset,
    end: turns[index + 1]?.firstOffset ?? messages.length,
    // while the session is being written, only a notice proves a failure: the answer may still arrive
    failure: isLive && failure?.noticeKey == null ? null : failure,
  }))
  const at = turnOf === undefined ? null : messages.findIndex(({ key }) => key === turnOf)
  const meant = spans.filter(
    ({ number, start, end }) =>
      (at === null || (at >= start && at < end)) && (wanted === undefined || number === wanted),
  )
  return last === undefined ? meant : meant.slice(-last)
}

/** The result of a call as plain text: the diff of an edit, otherwise the output that the model got. '' if there is none. */
export function resultText({ display, output }: ToolCall): string {
  return outputText(display?.kind === 'diff' ? display : output)
}

/** What became of a failed call, as a word to follow its status; empty for any other call. */
export function fateWords({ fate }: ToolCall): string[] {
  return fate === undefined ? [] : [FATE_WORDS[fate.kind]]
}

/** The output of a tool as plain text; '' if there is none. */
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

/** If only one of output and display is written, the other need not be examined. */
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
