import type { TranscriptQuery } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { Part, Thought, ToolCall, ToolOutput } from 'gemini-sessions'
import {
  type FailedTurn,
  failedTurnSentence,
  findFailures,
  isPrompt,
  type Message,
  type Session,
} from 'gemini-sessions'

interface Style {
  as: TranscriptQuery['as']
  /** Says who and when: a message that is copied alone needs no heading. */
  hasHead: boolean
}

const SPEAKERS: Record<Message['origin'], string> = {
  human: 'You',
  model: 'Gemini',
  'tool-result': 'Tool result',
  injected: 'Injected by the CLI',
  cli: 'Gemini CLI',
}

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

/** All that a message says, thinks and does; '' for one that has nothing of its own. */
function messageTranscript(message: Message, { as, hasHead }: Style): string {
  const isMarkdown = as === 'markdown'
  const blocks = [
    ...message.thoughts.map((thought) => thoughtText(thought, isMarkdown)),
    ...message.content.map((part) => partText(part, isMarkdown)),
    ...message.attachments.map(({ path, text }) =>
      labelled(path === '' ? 'Context' : `Attached: ${path}`, text, isMarkdown),
    ),
    ...message.toolCalls.map((call) => callText(call, isMarkdown)),
  ].filter((block) => block.trim() !== '')
  if (blocks.length === 0) return ''
  return [...(hasHead ? [headText(message, isMarkdown)] : []), ...blocks].join('\n\n')
}

function headText({ origin, timestamp, model, superseded }: Message, isMarkdown: boolean): string {
  const facts = [SPEAKERS[origin], model, timestamp, superseded].filter((fact) => fact !== null)
  return `${isMarkdown ? '## ' : ''}${facts.join(', ')}`
}

function thoughtText({ subject, description }: Thought, isMarkdown: boolean): string {
  if (!isMarkdown) return [`(Thought) ${subject}`.trim(), description].filter(Boolean).join('\n')
  const lines = [`**Thought${subject === '' ? '' : `: ${subject}`}**`, ...description.split('\n')]
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}

function partText(part: Part, isMarkdown: boolean): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code': {
      const code = isMarkdown ? fence(part.code, part.language ?? '') : part.code
      return part.output === null ? code : `${code}\n\n${isMarkdown ? fence(part.output) : part.output}`
    }
    case 'unknown':
      return isMarkdown
        ? fence(JSON.stringify(part.json, null, 2), 'json')
        : JSON.stringify(part.json, null, 2)
    default:
      return `[${part.kind}, ${part.mimeType}${part.uri === null ? '' : `, ${part.uri}`}]`
  }
}

function callText(call: ToolCall, isMarkdown: boolean): string {
  const exit = call.exitCode === null ? '' : `, exit ${call.exitCode}`
  const title = `${toolLabel(call.name)} (${call.failed ? 'failed' : call.status}${exit})`
  const args = JSON.stringify(call.args, null, 2) ?? ''
  const output = outputText(call.display?.kind === 'diff' ? call.display : call.output)
  const language = call.display?.kind === 'diff' ? 'diff' : ''
  if (!isMarkdown) return [title, args, output].filter((text) => text !== '').join('\n')
  const blocks = [`**${title}**`, fence(args, 'json'), output === '' ? '' : fence(output, language)]
  return blocks.filter((text) => text !== '').join('\n\n')
}

function labelled(label: string, text: string, isMarkdown: boolean): string {
  return isMarkdown ? `**${label}**\n\n${fence(text)}` : `${label}\n${text}`
}

/** A code block whose fence is longer than any in the code. */
function fence(code: string, language = ''): string {
  let longest = 2
  for (const [ticks] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${code}${code.endsWith('\n') ? '' : '\n'}${ticks}`
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
