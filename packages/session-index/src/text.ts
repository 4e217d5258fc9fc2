import type { SearchField } from '@gemini-dash/api'
import { CLUSTER, foldTextOnly, NON_ASCII_RUN } from '@gemini-dash/api/fold-text'
import { isOwnTool, mcpParts } from '@gemini-dash/api/tool-label'
import { isRecordedAgain, type Message, type Part, type ToolCall, type ToolOutput } from 'gemini-sessions'

/** One searchable text of a message. Phrases and other matches never extend from one into the next. */
export interface FieldPiece {
  field: SearchField
  text: string
  /** For arguments and output of a tool. */
  toolName: string | null
}

/**
 * All texts of a message, by type. Copies have none, except for repeated records of one message, and rows that return tool results only
 * have what belongs to no recorded call: the rest is found at the original and at the call.
 */
export function fieldPieces(message: Message): FieldPiece[] {
  if (message.copyOf !== null && !isRecordedAgain(message)) return []
  const pieces: FieldPiece[] = []
  const add = (field: SearchField, text: string, toolName: string | null = null) => {
    if (text !== '') pieces.push({ field, text, toolName })
  }
  const ownField = contentField(message)
  for (const part of message.content) for (const text of partTexts(part)) add(ownField, text)
  for (const attachment of message.attachments) {
    add('attachment', attachment.path)
    add('attachment', attachment.text)
  }
  for (const thought of message.thoughts) {
    add('thought', thought.subject)
    add('thought', thought.description)
  }
  for (const call of message.toolCalls) {
    const args = argumentTexts(call)
    for (const text of args) add('tool-args', text, call.name)
    const { description } = call
    if (description !== null && !args.some((text) => text.includes(description)))
      add('tool-args', description, call.name)
    for (const text of toolOutputTexts(call)) add('tool-output', text, call.name)
  }
  return pieces
}

/** The field for a message's own text. */
export function contentField(message: Message): SearchField {
  if (message.origin === 'tool-result') return 'tool-output'
  if (message.type === 'gemini') return 'answer'
  if (message.type !== 'user') return 'notice'
  return message.origin === 'injected' ? 'attachment' : 'prompt'
}

function partTexts(part: Part): string[] {
  switch (part.kind) {
    case 'text':
      return [part.text]
    case 'code':
      return [part.code, part.output ?? '']
    case 'unknown':
      return stringValues(part.json, true)
    case 'image':
    case 'audio':
    case 'file':
      return part.uri === null ? [] : [part.uri]
  }
}

/**
 * The arguments of a call. The names of an MCP tool's are searched, too; of another unknown tool's, those inside the values. Of Gemini CLI's
 * own tools none are: every call would be a hit for `content`.
 */
function argumentTexts({ name, args }: ToolCall): string[] {
  if (isOwnTool(name)) return stringValues(args)
  if (mcpParts(name) !== null || typeof args !== 'object' || args === null) return stringValues(args, true)
  return Object.values(args).flatMap((value) => stringValues(value, true))
}

/** Every string and number in a JSON value, in order; keys if wanted. Walks deep values without recursion. */
export function stringValues(json: unknown, withKeys = false): string[] {
  const strings: string[] = []
  const rest: unknown[] = [json]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value === 'string') {
      if (value !== '') strings.push(value)
    } else if (typeof value === 'number') {
      strings.push(String(value))
    } else if (typeof value === 'object' && value !== null) {
      if (withKeys && !Array.isArray(value)) strings.push(...Object.keys(value))
      rest.push(...Object.values(value).reverse())
    }
  }
  return strings
}

/**
 * The result of a tool, as texts. Includes the CLI's display if it differs from the output; of diffs and terminals, which mostly repeat
 * arguments and output, only the new lines.
 */
export function toolOutputTexts(call: ToolCall): string[] {
  const output = outputTexts(call.output)
  const display = call.display === null ? [] : displayTexts(call.display, call.args, output)
  const extra = call.extraParts.flatMap(partTexts)
  const news = [...display, ...extra].filter((text) => !output.some((known) => known.includes(text)))
  return [...output, ...news]
}

function displayTexts(display: ToolOutput, args: unknown, output: readonly string[]): string[] {
  switch (display.kind) {
    case 'diff':
      return newLines(diffLines(display), [...stringValues(args), ...output], (line) => line.slice(1))
    case 'ansi':
      return newLines(textsOf(display).join().split('\n'), output)
    case 'todos':
      return output.length > 0 ? [] : outputTexts(display)
    default:
      return outputTexts(display)
  }
}

/** The lines of a diff, each with its sign. */
function diffLines({
  fileDiff,
  originalContent,
  newContent,
}: Extract<ToolOutput, { kind: 'diff' }>): string[] {
  const lines = fileDiff.split('\n')
  const isNoLine = (line: string) => line.startsWith('@@') || line.startsWith('\\')
  const start = lines.findIndex((line) => line.startsWith('@@')) + 1
  if (fileDiff.trim() !== '') return lines.slice(start).filter((line) => !isNoLine(line))
  const signed = (text: string | null, sign: string) => text?.split('\n').map((line) => sign + line) ?? []
  return [...signed(originalContent, '-'), ...signed(newContent, '+')]
}

/** Runs of lines that are not in the known texts, each run as one text. `said`: strips the prefix of a line. */
function newLines(
  lines: readonly string[],
  known: readonly string[],
  said = (line: string) => line,
): string[] {
  const old = new Set(known.flatMap((text) => text.split('\n').map((line) => line.trim()))).add('')
  const runs: string[][] = [[]]
  for (const line of lines) {
    if (!old.has(said(line).trim())) runs.at(-1)?.push(line)
    else if (runs.at(-1)?.length !== 0) runs.push([])
  }
  return runs.map((run) => run.join('\n')).filter((text) => text !== '')
}

function outputTexts(output: ToolOutput): string[] {
  return textsOf(output).filter((text) => text !== '')
}

function textsOf(output: ToolOutput): string[] {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return [output.text]
    case 'todos':
      return output.todos.map((todo) => todo.description)
    case 'ansi':
      return [output.lines.map((line) => line.map((token) => token.text).join('')).join('\n')]
    case 'search':
      return [output.summary, ...output.matches.map((match) => `${match.filePath}: ${match.line}`)]
    case 'list':
      return [output.summary, ...output.files, ...output.skipped]
    case 'subagent':
      return [
        ...output.activity.flatMap((step) => [
          step.content,
          step.displayName ?? '',
          step.description ?? '',
          ...stringValues(step.args),
        ]),
        output.result ?? '',
      ]
    case 'unknown':
      return stringValues(output.json, true)
    case 'diff':
    case 'image':
    case 'empty':
      return []
  }
}

/**
 * Prepares a text for the index, whose `ascii` tokenizer splits at every ASCII character that is not a letter or digit, and treats every
 * other character as part of a word. So word boundaries are defined only here, and the tokens are those of `tokenize`, whatever Unicode
 * version SQLite was built with.
 */
export function indexText(text: string): string {
  // A NUL would end the text in SQLite's wasm build.
  return text.replace(NUL, ' ').replace(NON_ASCII_RUN, indexRun)
}

/** Separates pieces of one column: no query contains it, so no phrase crosses it. */
export const PIECE_BREAK = ' \ue000 '

const NUL = new RegExp(String.fromCharCode(0), 'g')
const knownRuns = new Map<string, string>()
const MAX_KNOWN_RUNS = 20_000
const knownClusters = new Map<string, string>()
const MAX_KNOWN_CLUSTERS = 50_000
const MAX_KNOWN_LENGTH = 16

function indexRun(run: string): string {
  const known = knownRuns.get(run)
  if (known !== undefined) return known
  // Both folding and splitting work on one cluster at a time.
  const spaced = run.replace(CLUSTER, indexCluster)
  if (knownRuns.size >= MAX_KNOWN_RUNS) knownRuns.clear()
  if (run.length <= MAX_KNOWN_LENGTH) knownRuns.set(run, spaced)
  return spaced
}

function indexCluster(cluster: string): string {
  const known = knownClusters.get(cluster)
  if (known !== undefined) return known
  const spaced = foldTextOnly(cluster).replace(
    INDEX_PIECE,
    (piece: string, single?: string, word?: string) => {
      if (single !== undefined) return ` ${piece} `
      return word !== undefined ? piece : ' '
    },
  )
  if (knownClusters.size >= MAX_KNOWN_CLUSTERS) knownClusters.clear()
  if (cluster.length <= MAX_KNOWN_LENGTH) knownClusters.set(cluster, spaced)
  return spaced
}

/** A word of a folded text; `start` and `end` are offsets in it. */
export interface Token {
  text: string
  start: number
  end: number
}

/**
 * The words of a folded text: runs of letters and digits. In scripts without spaces (and for emoji), each character is a word, so that any
 * part can be found as a phrase.
 */
export function tokenize(folded: string): Token[] {
  return [...folded.matchAll(TOKEN)].map(toToken)
}

export function toToken({ 0: text, index: start }: RegExpExecArray): Token {
  return { text, start, end: start + text.length }
}

const BLANKLESS_SCRIPTS = [
  'Han',
  'Hira',
  'Kana',
  'Hang',
  'Bopo',
  'Yiii',
  'Thai',
  'Laoo',
  'Khmr',
  'Mymr',
  'Tibt',
]
const BLANKLESS = BLANKLESS_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')
const WORD = '\\p{L}\\p{N}\\p{M}'
const SINGLE = `(?=[${WORD}])[${BLANKLESS}]|(?![\\0-\\x7f])\\p{Emoji_Presentation}`
export const TOKEN = new RegExp(`[a-z0-9]+(?![${WORD}])|${SINGLE}|(?:(?!${SINGLE})[${WORD}])+`, 'gu')

/** For text to be split by the index: one group for single-character words, one for parts of words. */
const INDEX_PIECE = new RegExp(`(?<single>${SINGLE})|(?<word>[${WORD}]|[\\0-\\x7f])|.`, 'gsu')

/** The indexed part of the pieces: everything except inline base64. */
export function indexedPieces(pieces: FieldPiece[]): FieldPiece[] {
  return pieces.map((piece) => {
    const text = withoutInlineData(piece.text)
    return text === piece.text ? piece : { ...piece, text }
  })
}

/** `data:` URIs replaced by spaces of the same length, so that offsets stay valid. */
export function withoutInlineData(text: string): string {
  if (!text.includes(';base64,')) return text
  return text.replace(/(?<=;base64,)[A-Za-z0-9+/=\s]{64,}/g, (data) => ' '.repeat(data.length))
}
