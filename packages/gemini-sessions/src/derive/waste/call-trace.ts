import type { Message } from '../../model/message.ts'
import type { TokenUsage } from '../../model/token-usage.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { textFingerprint } from '../../parse/large-texts/text-fingerprint.ts'
import { estimateTokens } from '../context/estimate-tokens.ts'
import { weighOutput } from '../context/weigh-output.ts'
import { type FileTouch, findFileCalls } from '../files-touched/find-file-calls.ts'
import { canonicalJson } from '../messages/canonical-json.ts'
import { oneLine } from '../messages/message-text.ts'
import { savedOutputMentions } from '../neighbours/saved-output-mentions.ts'

/** How the CLI says that it showed a part: up to 0.21 in brackets at the start, later in a paragraph with a status. */
const PART_SHOWN = /showing lines (\d+)-(\d+) of \d+ total lines/i
/** It stands before the text. */
const SEARCHED_CHARS = 300

/** What of a call is kept until the whole session is known: no text, so that sessions of any size fit. */
export interface CallTrace {
  messageKey: string
  offset: number
  turn: number
  /** How often the context had been compressed: what a call brought before that is no longer known. */
  epoch: number
  timestamp: string | null
  callId: string
  /** Position among the calls of its message, and how many there are. */
  call: number
  callCount: number
  /** Of the model call that asked for it. */
  usage: TokenUsage | null
  askedAt: string | null
  agentKey: string | null
  model: string | null
  tool: string
  subject: string
  /** Equal for the same tool with the same arguments. */
  question: string
  /** Equal for equal results. */
  answer: string
  tokens: number
  failed: boolean
  /** false where a person declined it, or no result was recorded. */
  isDone: boolean
  /** Files that it read, or changed. */
  reads: string[]
  changes: string[]
  /** Which lines it read; null where that is not told. */
  range: { from: number; to: number } | null
  /** Files of the CLI that hold the whole of a cut or masked result. */
  savedTo: string[]
  isShell: boolean
  /** It only looks: nothing that is asked later can have another answer because of it. */
  isLook: boolean
}

/** Of the CLI itself, of any version. What tools of others do is not known. */
const LOOKING_TOOLS = new Set([
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
  'search_file_content',
  'web_fetch',
  'google_web_search',
  'write_todos',
])
const SHELL_TOOLS = new Set(['run_shell_command', 'ShellTool', 'shell'])
const MAX_SUBJECT_LENGTH = 160

/** The calls of a message, with all their texts. Copies made none, and what was taken back is a story of its own. */
export function traceCalls(
  message: Message,
  place: { offset: number; turn: number; epoch: number },
): CallTrace[] {
  const isTakenBack = message.superseded !== null && message.superseded !== 'compacted'
  if (message.copyOf !== null || isTakenBack) return []
  return message.toolCalls.map((call, index) => {
    const touches = findFileCalls(
      { ...message, toolCalls: [call] },
      { sessionKey: '', offset: place.offset, root: null, isAgent: false },
    )
    const pathsOf = (...actions: string[]) =>
      touches.filter((touch) => actions.includes(touch.call.action)).map(({ path }) => path)
    const args = canonicalJson(call.args)
    return {
      ...place,
      messageKey: message.key,
      timestamp: call.timestamp ?? message.timestamp,
      callId: call.id,
      call: index,
      callCount: message.toolCalls.length,
      usage: message.usage,
      askedAt: message.timestamp,
      agentKey: message.agentKey,
      model: message.model,
      tool: call.name,
      subject: subjectOf(call, touches[0]),
      question: textFingerprint(`${call.name} ${args}`),
      answer: textFingerprint(JSON.stringify([call.status, call.output]) ?? ''),
      tokens: Math.round(estimateTokens(args) + weighOutput(call.output)),
      failed: call.failed,
      isDone: call.status !== 'cancelled' && call.status !== 'unanswered',
      reads: pathsOf('read'),
      changes: pathsOf('wrote', 'edited'),
      range: readRange(call),
      savedTo: savedOutputMentions(call),
      isShell: SHELL_TOOLS.has(call.name),
      isLook: LOOKING_TOOLS.has(call.name),
    }
  })
}

/** The file, the command; of a search its own line, as the folder alone says little. */
function subjectOf({ args, description }: ToolCall, touch: FileTouch | undefined): string {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : undefined
  if (typeof command === 'string') return oneLine(command, MAX_SUBJECT_LENGTH)
  const path = touch?.path
  const words = touch?.call.action === 'searched' ? (description ?? path) : (path ?? description)
  return oneLine(words ?? canonicalJson(args), MAX_SUBJECT_LENGTH)
}

interface Lines {
  from: number
  to: number
}

/**
 * The lines of a file that a read brought, counted from 1; all of them where neither the result nor the call names any.
 * null where that cannot be told.
 */
function readRange({ args, output }: Pick<ToolCall, 'args' | 'output'>): Lines | null {
  return shownRange(output) ?? askedRange(args)
}

function shownRange(output: ToolCall['output']): Lines | null {
  if (output.kind !== 'text' && output.kind !== 'markdown') return null
  const [, from, to] = PART_SHOWN.exec(output.text.slice(0, SEARCHED_CHARS)) ?? []
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) }
}

function askedRange(args: unknown): Lines | null {
  if (typeof args !== 'object' || args === null) return null
  const field = (name: string): number | undefined => {
    const value: unknown = Reflect.get(args, name)
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  // 0.4 to 0.38 counted from an offset, later versions name the lines.
  const from = field('start_line') ?? (field('offset') ?? 0) + 1
  const limit = field('limit')
  const to = field('end_line') ?? (limit === undefined ? Number.POSITIVE_INFINITY : from + limit - 1)
  return to >= from ? { from, to } : null
}
