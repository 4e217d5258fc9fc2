import type { Part, ToolOutput } from 'gemini-sessions'

export interface WebSource {
  number: number
  title: string
  /** null where none was recorded (`No URI`). */
  url: string | null
}

interface WebResult {
  /** Markdown; `[1]` leads to a source of that number. */
  text: string
  sources: WebSource[]
}

const SEARCH_HEAD = /^Web search results for "[\s\S]*?":\n\n/
const SOURCES_HEAD = '\nSources:\n'

/** What a search or a page brought: its text, and the sources that stand below it since the first versions. */
export function webResult(output: string): WebResult {
  const text = unwrapUntrusted(output).replace(SEARCH_HEAD, '')
  const start = text.lastIndexOf(SOURCES_HEAD)
  const sources = start === -1 ? [] : readSources(text.slice(start + SOURCES_HEAD.length))
  return sources.length === 0 ? { text, sources } : { text: text.slice(0, start).trimEnd(), sources }
}

/** `[1] title (address)`. Anything else below the head means that it is no list of sources. */
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

/** Addresses that a `web_fetch` was asked for, in its `url` or inside its prompt. */
export function askedAddresses(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s"'<>`]+/g) ?? []
  return [...new Set(found.map((url) => url.replace(/[).,;:!?\]]+$/, '')))]
}

/** What came from outside the model stands in such a frame since 0.61. */
const FRAME = /^\s*<untrusted_context>\r?\n?([\s\S]*?)\r?\n?(?:<\/untrusted_context>\s*)?$/

/** The text inside the frame, also where its end was cut off; other texts as they are. */
export function unwrapUntrusted(text: string): string {
  return FRAME.exec(text)?.[1] ?? text
}

interface AgentReport {
  /** `GOAL`, `MAX_TURNS`, `TIMEOUT`, …; '' where none is told. */
  reason: string
  /** What the sub-agent handed back, mostly Markdown or JSON. */
  result: string
}

/** `Subagent 'x' finished.`, its reason and its result: the text that the model got, and up to 0.32 also what was drawn. */
const REPORT = /^\s*Subagent '?[\w-]+'? finished\.?\s+Termination Reason:\s*(\S+)\s+Result:\n?([\s\S]*)$/i

export function agentReport(text: string): AgentReport | null {
  const found = REPORT.exec(text)
  return found === null ? null : { reason: found[1] ?? '', result: (found[2] ?? '').trim() }
}

/** Longer texts are shown as they are: a tree of them would hold the page up. */
const MAX_LENGTH = 200_000

/** The object or list that a text holds, also inside a fence of Markdown; undefined for other texts. */
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

/** Fenced blocks and code in a line keep their brackets. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/

/** Markdown in which `[1]` leads to the source of that number; other numbers in brackets stay what they are. */
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

/** What a skill says (`activate_skill`, 0.24+), from the frame that the model got. null for other texts. */
export function skillResult(text: string): SkillResult | null {
  const instructions = /<instructions>\n([\s\S]*?)\n\s*<\/instructions>/.exec(text)?.[1]
  if (instructions === undefined) return null
  const resources = /<available_resources>\n([\s\S]*?)\n\s*<\/available_resources>/.exec(text)?.[1] ?? ''
  return { instructions: unindent(instructions), resources: unindent(resources) }
}

/** The frame indents its first line; where all lines are indented as deep, all of them are the frame's. */
function unindent(text: string): string {
  const isAll = text.split('\n').every((line) => line.trim() === '' || line.startsWith('    '))
  return text.replace(isAll ? /^ {4}/gm : /^ {4}/, '').trim()
}

/** An object with fields, as JSON knows it. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface ListedFiles {
  /** Folder that all of them lie in, as far as the tool told; ''. */
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

/** Files that a tool listed or found, from the text that the model got. null for other texts. */
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

/** `[DIR] pages` as `pages/`. */
export function folderMark(entry: string): string {
  return entry.startsWith('[DIR] ') ? `${entry.slice('[DIR] '.length)}/` : entry
}

/** Entries, since 0.31 with their sizes; behind a blank line what was ignored and (0.35+) context of the folder. */
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
 * The files that `read_many_files` put together: each in a part of its own (up to 0.27), or all in one text, where only a
 * head after a blank line begins the next.
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
  /** What the person wrote to a plan that they sent back, or the mode that an approved one leads to. */
  words: string
  /** Where the plan is stored; ''. */
  path: string
}

/** What became of a plan (`exit_plan_mode`, 0.29+), from the text that the model got. null for other texts. */
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

/** `Found 22 matches for pattern "total" in path "src":`, with a filter or a limit in brackets. */
const SEARCH_HEAD_ = /^Found (\d+) match(?:es)? for pattern [\s\S]*?:\r?\n---\r?\n/
const NAMES_HEAD = /^Found \d+ files? with matches for pattern [^\n]*:\r?\n/
const HEAD_LENGTH = 4_000

/** What a search found, from the text that the model got: before 0.36 nothing else was stored. null for other texts. */
export function searchResult(text: string): Search | null {
  if (/^No matches found/.test(text)) return { kind: 'search', summary: '', matches: [] }
  const start = text.slice(0, HEAD_LENGTH)
  const names = NAMES_HEAD.exec(start)
  if (names !== null) return toSearch(names[0], text.slice(names[0].length).split('\n').map(nameOnly))
  const head = SEARCH_HEAD_.exec(start)
  return head === null ? null : toSearch(head[0], readMatches(text.slice(head[0].length)))
}

/** How many matches the text tells of, also where not all of them came along. */
export function toldMatches(text: string): number | null {
  const told = SEARCH_HEAD_.exec(text.slice(0, HEAD_LENGTH))?.[1]
  return told === undefined ? null : Number(told)
}

function toSearch(head: string, matches: Search['matches']): Search {
  const limit = /\((results limited to [^)]+)\)/.exec(head)?.[1] ?? ''
  return { kind: 'search', summary: limit, matches: matches.filter((match) => match.filePath !== '') }
}

function nameOnly(line: string): Search['matches'][number] {
  return { filePath: line.trimEnd(), lineNumber: null, line: '', isContext: false }
}

/** Blocks of `File: <path>` and lines `L8: text`, `L8- text` for context, between rules. */
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
