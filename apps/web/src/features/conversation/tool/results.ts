import type { Part, ToolOutput } from 'gemini-sessions'

export interface WebSource {
  number: number
  title: string
  /** null if none was recorded (`No URI`). */
  url: string | null
}

interface WebResult {
  /** Markdown; `[1]` refers to the source with that number. */
  text: string
  sources: WebSource[]
}

const SEARCH_HEAD = /^Web search results for "[\s\S]*?":\n\n/
const SOURCES_HEAD = '\nSources:\n'

/** Parses a web search or page: its text and the sources listed below it since the first versions. */
export function webResult(output: string): WebResult {
  const text = unwrapUntrusted(output).replace(SEARCH_HEAD, '')
  const start = text.lastIndexOf(SOURCES_HEAD)
  const sources = start === -1 ? [] : readSources(text.slice(start + SOURCES_HEAD.length))
  return sources.length === 0 ? { text, sources } : { text: text.slice(0, start).trimEnd(), sources }
}

/** Parses `[1] title (address)`. Any other line means that this is no list of sources. */
function readSources(text: string): WebSource[] {
  const sources: WebSource[] = []
  for (const line of text.trim().split('\n')) {
    const found = /^\[(\d+)\] (.*) \(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*|No URI)\)$/.exec(line.trimEnd())
    if (found === null) return []
    const [, number, title = '', url = ''] = found
    sources.push({ number: Number(number), title, url: url === 'No URI' ? null : url })
  }
  return sources
}

/** Addresses requested by a `web_fetch`, in its `url` or inside its prompt. */
export function askedAddresses(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s"'<>`]+/g) ?? []
  return [...new Set(found.map((url) => url.replace(/[).,;:!?\]]+$/, '')))]
}

/** Frame around external content since 0.61. */
const FRAME = /^\s*<untrusted_context>\r?\n?([\s\S]*?)\r?\n?(?:<\/untrusted_context>\s*)?$/

/** The text inside the frame, even without its end; other texts unchanged. */
export function unwrapUntrusted(text: string): string {
  return FRAME.exec(text)?.[1] ?? text
}

interface AgentReport {
  /** `GOAL`, `MAX_TURNS`, `TIMEOUT`, …; '' if not given. */
  reason: string
  /** The sub-agent's result, mostly Markdown or JSON. */
  result: string
}

/** `Subagent 'x' finished.`, its reason and its result: the text for the model, and up to 0.32 also the displayed one. */
const REPORT = /^\s*Subagent '?[\w-]+'? finished\.?\s+Termination Reason:\s*(\S+)\s+Result:\n?([\s\S]*)$/i

export function agentReport(text: string): AgentReport | null {
  const found = REPORT.exec(text)
  return found === null ? null : { reason: found[1] ?? '', result: (found[2] ?? '').trim() }
}

/** Longer texts are shown as text: a tree would block the page. */
const MAX_LENGTH = 200_000

/** The object or list in a text, also inside a Markdown fence; undefined for other texts. */
export function jsonInText(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined
  const body = /^\s*```json\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text
  if (!/^\s*[[{]/.test(body)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Code blocks and inline code keep their brackets. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/

/** Turns `[1]` in Markdown into a link to the source with that number; other bracketed numbers are left alone. */
export function linkCitations(
  text: string,
  numbers: readonly number[],
  hrefOf: (number: number) => string,
): string {
  const known = new Set(numbers)
  return text
    .split(CODE)
    .map((piece, index) => (index % 2 === 1 ? piece : linkPiece(piece, known, hrefOf)))
    .join('')
}

/** `[1](address)` and `[1]: address` are links already. */
function linkPiece(text: string, known: ReadonlySet<number>, hrefOf: (number: number) => string): string {
  return text.replace(/\[(\d{1,3})\](?![(:])/g, (whole, digits) =>
    known.has(Number(digits)) ? `[\\[${digits}\\]](${hrefOf(Number(digits))})` : whole,
  )
}

interface SkillResult {
  instructions: string
  resources: string
}

/** Parses a skill (`activate_skill`, 0.24+) from the text for the model. null for other texts. */
export function skillResult(text: string): SkillResult | null {
  const instructions = /<instructions>\n([\s\S]*?)\n\s*<\/instructions>/.exec(text)?.[1]
  if (instructions === undefined) return null
  const resources = /<available_resources>\n([\s\S]*?)\n\s*<\/available_resources>/.exec(text)?.[1] ?? ''
  return { instructions: unindent(instructions), resources: unindent(resources) }
}

/** The frame indents its first line; if all lines have that indent, it is removed from all of them. */
function unindent(text: string): string {
  const isAll = text.split('\n').every((line) => line.trim() === '' || line.startsWith('    '))
  return text.replace(isAll ? /^ {4}/gm : /^ {4}/, '').trim()
}

/** A JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface ListedFiles {
  /** Common folder, if the tool reported one; else ''. */
  root: string
  /** Folders end in `/`. */
  paths: string[]
  /** What was left out, in the tool's words; '' for nothing. */
  note: string
}

const FOLDER_HEAD = /^Directory listing for ([^\n]*):\r?\n/
const FOUND_HEAD =
  /^Found \d+ file\(s\) matching [^\n]*?(?: within ([^\n]*?))?(?: \((\d+ additional files were [^)]*)\))?, sorted by [^\n]*:\r?\n/
const DOCS_HEAD = /^Available [^\n]*documentation files:\s*\n/
const EMPTY = /^(?:No files found|Directory [^\n]* is empty)/

/** Parses listed or found files from the text for the model. null for other texts. */
export function listResult(text: string): ListedFiles | null {
  if (EMPTY.test(text)) return { root: '', paths: [], note: /\(([^)]* ignored[^)]*)\)/.exec(text)?.[1] ?? '' }
  const folder = FOLDER_HEAD.exec(text)
  if (folder !== null) return folderList(folder[1] ?? '', text.slice(folder[0].length))
  const found = FOUND_HEAD.exec(text)
  if (found !== null)
    return { root: found[1] ?? '', paths: lines(text.slice(found[0].length)), note: found[2] ?? '' }
  const docs = DOCS_HEAD.exec(text)
  if (docs === null) return null
  return {
    root: '',
    paths: lines(text.slice(docs[0].length)).map((line) => line.replace(/^- /, '')),
    note: '',
  }
}

/** `[DIR] pages` becomes `pages/`. */
export function folderMark(entry: string): string {
  return entry.startsWith('[DIR] ') ? `${entry.slice('[DIR] '.length)}/` : entry
}

/** Entries, since 0.31 with sizes; after a blank line the ignored ones and (0.35+) context of the folder. */
function folderList(root: string, text: string): ListedFiles {
  const [entries = '', ...rest] = text.split('\n\n')
  const paths = lines(entries).map((line) => folderMark(line.replace(/ \(\d+ bytes\)$/, '')))
  return { root, paths, note: /^\((\d+ [^)]*ignored[^)]*)\)/.exec(rest[0] ?? '')?.[1] ?? '' }
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

export interface ReadFile {
  path: string
  text: string
}

const HEAD = /^--- (.+?) ---\n\n?/

/**
 * Parses the files combined by `read_many_files`: each in its own part (up to 0.27), or all in one text, where only a header after a blank
 * line starts the next file.
 */
export function manyFiles(output: string, parts: readonly Part[]): ReadFile[] {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  const pieces = texts.some((text) => HEAD.test(text)) ? texts : output.split(/\n(?=--- [^\n]+ ---\n\n)/)
  return pieces.flatMap((piece) => {
    const head = HEAD.exec(piece)
    if (head?.[1] === undefined) return []
    return [
      {
        path: head[1],
        text: piece.slice(head[0].length).replace(/\n+(?:--- End of content ---\s*)?$/, '\n'),
      },
    ]
  })
}

interface PlanAnswer {
  state: 'approved' | 'rejected' | 'cancelled'
  /** The user's feedback on a rejected plan, or the mode after an approved one. */
  words: string
  /** Where the plan is stored; '' if unknown. */
  path: string
}

/** Parses the outcome of a plan (`exit_plan_mode`, 0.29+) from the text for the model. null for other texts. */
export function planAnswer(text: string): PlanAnswer | null {
  const path = /plan is stored at: (.+)/.exec(text)?.[1]?.trim() ?? ''
  if (text.startsWith('Plan approved.')) {
    return {
      state: 'approved',
      words: /^Plan approved\. Switching to (.*?)\.?(?:\n|$)/.exec(text)?.[1] ?? '',
      path,
    }
  }
  if (text.startsWith('Plan rejected.')) {
    const words =
      /^Plan rejected\. User feedback: ([\s\S]*?)(?:\n\nThe plan is stored at:|$)/.exec(text)?.[1] ?? ''
    return { state: 'rejected', words: words.trim(), path }
  }
  if (text.startsWith('User cancelled the plan approval')) return { state: 'cancelled', words: '', path }
  return null
}

type Search = Extract<ToolOutput, { kind: 'search' }>

/** `Found 22 matches for pattern "total" in path "src":`, with an optional filter or limit in parentheses. */
const SEARCH_HEAD_ = /^Found (\d+) match(?:es)? for pattern [\s\S]*?:\r?\n---\r?\n/
const NAMES_HEAD = /^Found \d+ files? with matches for pattern [^\n]*:\r?\n/
const HEAD_LENGTH = 4_000

/** Parses search results from the text for the model; before 0.36 nothing else was stored. null for other texts. */
export function searchResult(text: string): Search | null {
  if (/^No matches found/.test(text)) return { kind: 'search', summary: '', matches: [] }
  const start = text.slice(0, HEAD_LENGTH)
  const names = NAMES_HEAD.exec(start)
  if (names !== null) return toSearch(names[0], text.slice(names[0].length).split('\n').map(nameOnly))
  const head = SEARCH_HEAD_.exec(start)
  return head === null ? null : toSearch(head[0], readMatches(text.slice(head[0].length)))
}

/** The number of matches in the text's header, even if not all of them are included. */
export function matchCount(text: string): number | null {
  const count = SEARCH_HEAD_.exec(text.slice(0, HEAD_LENGTH))?.[1]
  return count === undefined ? null : Number(count)
}

function toSearch(head: string, matches: Search['matches']): Search {
  const limit = /\((results limited to [^)]+)\)/.exec(head)?.[1] ?? ''
  return { kind: 'search', summary: limit, matches: matches.filter((match) => match.filePath !== '') }
}

function nameOnly(line: string): Search['matches'][number] {
  return { filePath: line.trimEnd(), lineNumber: null, line: '', isContext: false }
}

/** Blocks of `File: <path>` and lines `L8: text`, or `L8- text` for context, separated by rules. */
function readMatches(text: string): Search['matches'] {
  const matches: Search['matches'] = []
  let filePath = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('File: ')) {
      filePath = line.slice('File: '.length).trimEnd()
      continue
    }
    const found = /^L(\d+)([:-]) ?(.*)$/.exec(line)
    if (found === null || filePath === '') continue
    matches.push({
      filePath,
      lineNumber: Number(found[1]),
      line: found[3] ?? '',
      isContext: found[2] === '-',
    })
  }
  return matches
}
