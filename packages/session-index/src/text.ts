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
    const args = stringValues(call.args)
    for (const text of args) add('tool-args', text, call.name)
    const { description } = call
    if (description !== null && !args.some((text) => text.includes(description)))
      add('tool-args', description, call.name)
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
      return stringValues(part.json, true)
    case 'image':
    case 'audio':
    case 'file':
      return part.uri === null ? [] : [part.uri]
  }
}

/** Every string and number inside a JSON value, in order; keys where they are wanted. Deep values are walked without recursion. */
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
 * What came back from a tool, as texts. The CLI's display is added where it says something else than the output; of diffs and
 * terminals, which mostly repeat arguments and output, the lines that are new.
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

/** What a diff shows, each line behind its sign. */
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

/** Runs of lines that are not among those of the texts, each run as one text. `said`: a line without what stands before it. */
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

/** What the index holds of the pieces: all but inline base64. */
export function indexedPieces(pieces: FieldPiece[]): FieldPiece[] {
  return pieces.map((piece) => {
    const text = withoutInlineData(piece.text)
    return text === piece.text ? piece : { ...piece, text }
  })
}

/** `data:` URIs blanked out, character by character, so that offsets stay. */
export function withoutInlineData(text: string): string {
  if (!text.includes(';base64,')) return text
  return text.replace(/(?<=;base64,)[A-Za-z0-9+/=\s]{64,}/g, (data) => ' '.repeat(data.length))
}
