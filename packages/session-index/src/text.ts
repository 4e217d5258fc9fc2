import type { SearchField } from '@gemini-dash/api'
import { CLUSTER, foldTextOnly, NON_ASCII_RUN } from '@gemini-dash/api/fold-text'
import { isRecordedAgain, type Message, type Part, type ToolCall, type ToolOutput } from 'gemini-sessions'

/** One text of a message that can be searched. Phrases and other matches never reach from one into the next. */
export interface FieldPiece {
  field: SearchField
  text: string
  /** For arguments and output of a tool. */
  toolName: string | null
}

/**
 * Everything a message says, by kind. Copies say nothing of their own, but for further records of one message, and rows that carry tool results back only what
 * belongs to no recorded call: what they hold is found at the original and at the call.
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
    for (const text of stringValues(call.args)) add('tool-args', text, call.name)
    for (const text of toolOutputTexts(call)) add('tool-output', text, call.name)
  }
  return pieces
}

/** The field of what a message itself says. */
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
      return stringValues(part.json)
    case 'image':
    case 'audio':
    case 'file':
      return part.uri === null ? [] : [part.uri]
  }
}

/** Every string inside a JSON value, in order, without keys. Deep values are walked without recursion. */
export function stringValues(json: unknown): string[] {
  const strings: string[] = []
  const rest: unknown[] = [json]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value === 'string') {
      if (value !== '') strings.push(value)
    } else if (typeof value === 'object' && value !== null) {
      rest.push(...Object.values(value).reverse())
    }
  }
  return strings
}

/**
 * What came back from a tool, as texts. The CLI's display is added where it says something else than
 * the output; its copies of whole files (diffs) and of the terminal are not.
 */
export function toolOutputTexts(call: ToolCall): string[] {
  const output = outputTexts(call.output)
  const display = call.display === null ? [] : displayTexts(call.display, output.length > 0)
  const extra = call.extraParts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  const news = [...display, ...extra].filter((text) => !output.some((known) => known.includes(text)))
  return [...output, ...news]
}

function displayTexts(display: ToolOutput, hasOutput: boolean): string[] {
  const isCopy = display.kind === 'ansi' || display.kind === 'todos'
  return hasOutput && isCopy ? [] : outputTexts(display)
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
          step.description ?? '',
          ...stringValues(step.args),
        ]),
        output.result ?? '',
      ]
    case 'unknown':
      return stringValues(output.json)
    case 'diff':
    case 'image':
    case 'empty':
      return []
  }
}

/**
 * A text for the index, whose `ascii` tokenizer splits at everything that is ASCII and no letter or
 * digit, and takes every other character as part of a word. So we alone decide where words end, and
 * the tokens it finds are those of `tokenize`, whatever Unicode version SQLite was built with.
 */
export function indexText(text: string): string {
  // A NUL would end the text for SQLite's wasm build.
  return text.replace(NUL, ' ').replace(NON_ASCII_RUN, indexRun)
}

/** Stands between pieces of one column: no query contains it, so no phrase reaches across. */
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
  // Both folding and splitting look at one cluster at a time.
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
 * The words of a folded text: runs of letters and digits. Scripts that are written without blanks
 * (and emoji) give one word for each character, so that any piece of them can be found as a phrase.
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

/** For text that is about to be split by the index: one group for a word of its own, one for a word's piece. */
const INDEX_PIECE = new RegExp(`(?<single>${SINGLE})|(?<word>[${WORD}]|[\\0-\\x7f])|.`, 'gsu')

/** Longest tool output that the index takes whole, in UTF-16 units; of a longer one it takes head and tail. */
export const TOOL_OUTPUT_LIMIT = 16 * 1024
/** The same for any other text; far beyond what people and models write, it only bounds the work. */
const TEXT_LIMIT = 1024 * 1024

/** The part of the pieces that the index holds: long outputs capped, inline base64 left out. */
export function indexedPieces(pieces: FieldPiece[]): FieldPiece[] {
  const indexed: FieldPiece[] = []
  for (const piece of pieces) {
    const limit = piece.field === 'tool-output' ? TOOL_OUTPUT_LIMIT : TEXT_LIMIT
    const text = withoutInlineData(piece.text)
    if (text === piece.text && text.length <= limit) indexed.push(piece)
    else for (const part of capText(text, limit)) indexed.push({ ...piece, text: part })
  }
  return indexed
}

/** `data:` URIs blanked out, character by character, so that offsets stay. */
function withoutInlineData(text: string): string {
  if (!text.includes(';base64,')) return text
  return text.replace(/(?<=;base64,)[A-Za-z0-9+/=\s]{64,}/g, (data) => ' '.repeat(data.length))
}

/** The head and the tail of a text that is longer than the limit (in UTF-16 units): three quarters and one. */
function capText(text: string, limit: number): string[] {
  if (text.length <= limit) return [text]
  const headEnd = Math.floor((limit * 3) / 4)
  return [text.slice(0, headEnd), text.slice(text.length - (limit - headEnd))]
}
