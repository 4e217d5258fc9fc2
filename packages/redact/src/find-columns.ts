import type { Span } from './change.ts'
import { addSecret } from './find-assignments.ts'
import type { SecretKind } from './judge.ts'
import { secretKind } from './names.ts'

/** Longest header line, in UTF-16 units. */
const MOST_HEADER = 8000
const MOST_COLUMNS = 400
/** Longest row of an HTML table, in UTF-16 units. */
const MOST_HTML_ROW = 100_000
/** A longer quoted cell is read as if it had no quotes. */
const MOST_QUOTED = 100_000
/** This many lines in a row without a cell for any of the columns end a table. */
const MOST_ODD = 3

/** The separator between cells: a character, or aligned whitespace. */
type Divider = ',' | ';' | '\t' | '|' | 'blanks'

interface Cell {
  text: string
  start: number
}

/** A column whose cells are secrets. */
interface Column {
  kind: SecretKind
  index: number
  /** Offsets of its name, from the start of the line. */
  left: number
  right: number
}

interface Header {
  /** Number of all cells, including those without secrets. */
  count: number
  columns: readonly Column[]
  /** Only a table has a line like this, so even a plain word in it is a secret. */
  isSure: boolean
}

/** A possible column name: words, not code. */
const COLUMN = /^(?:#|[\p{L}_][\p{L}\p{N}_ .()/#-]{0,60})$/u
/** The line between header and rows, and around them. */
const RULER = /^[\s|+:=-]{3,}$/

/** By the spans of one text: where the last row of the last table ends. No line is read for two tables. */
const READ_TO = new WeakMap<Span[], number>()

/** Tables in exports, databases and documents, where the column name identifies the cells. `end`: end of a name in the first line. */
export function addColumns(text: string, end: number, spans: Span[]): void {
  if (end < (READ_TO.get(spans) ?? 0)) return
  const divider = dividerAt(text, end)
  if (divider === null) return
  const start = lineStart(text, end)
  const line = start === null ? '' : headerLine(text, start)
  const header = start === null ? null : readHeader(line, divider)
  // the first column triggers the search of all columns
  if (start === null || header === null || start + (header.columns[0]?.right ?? 0) !== end) return
  addRows(text, start + line.length + 1, divider, header, spans)
}

/** `COPY users (name, password) FROM stdin;`, as in database dumps. */
const COPY = /copy\s{1,4}[\w."]{1,100}\s{0,4}\(([^()]{2,4000})\)\s{1,4}from\s{1,4}stdin[^\n]{0,60}\n/iy

export function addCopied(text: string, at: number, _: string, spans: Span[]): void {
  COPY.lastIndex = at
  const names = COPY.exec(text)?.[1]?.split(',') ?? []
  const columns = names.flatMap((name, index): Column[] => {
    const kind = secretKind(name.replace(/\W/g, ''))
    return kind === null ? [] : [{ kind, index, left: -1, right: -1 }]
  })
  const header = { count: names.length, columns, isSure: true }
  if (columns.length > 0) addRows(text, COPY.lastIndex, '\t', header, spans)
}

function readHeader(line: string, divider: Divider): Header | null {
  const { cells } = readCells(line, 0, divider)
  if (cells.length < 2 || cells.length > MOST_COLUMNS) return null
  // a list or a statement in code
  if (cells.at(-1)?.text === '' && (divider === ',' || cells.length === 2)) return null
  if (cells.some(({ text: name }) => name !== '' && !COLUMN.test(name))) return null
  const columns = secretColumns(cells)
  if (columns.length === 0) return null
  const isTable = divider !== '|' && divider !== 'blanks'
  const hasUser = cells.some(({ text: name }) => /user|login|mail|account|name|host|e-?mail/i.test(name))
  return { count: cells.length, columns, isSure: isTable || hasUser }
}

const ROW = /<tr[\s>]/gi
const ROW_END = /<\/(?:tr|table)>/gi
const HTML_CELL = /<t[dh](?:\s[^<>]{0,200})?>(?:\s*<[^<>]{1,200}>){0,4}\s*([^<>]*)/gi

/** The same for an HTML table. `at`: end of the first column name that identifies a secret. */
export function addHtmlColumns(text: string, at: number, spans: Span[]): void {
  if (secretKind(text.slice(text.lastIndexOf('>', at) + 1, at).trim()) === null) return
  const from = Math.max(0, at - MOST_HEADER)
  const open = text.slice(from, at).toLowerCase().lastIndexOf('<tr')
  if (open === -1) return
  let row = htmlRow(text, from + open)
  const columns = secretColumns(row.cells)
  if (columns[0]?.right !== at) return
  for (;;) {
    ROW.lastIndex = row.end
    const next = ROW.exec(text)
    if (next === null || next.index - row.end > MOST_HEADER) return
    row = htmlRow(text, next.index)
    // the header of another table
    if (secretColumns(row.cells).length > 0 && text.slice(next.index, row.end).includes('<th')) return
    for (const { kind, index } of columns) {
      const cell = row.cells[index]
      if (cell !== undefined && cell.text !== '')
        addSecret(kind, { ...cell, isQuoted: true }, { isAlone: true, least: 8 }, spans)
    }
  }
}

function secretColumns(cells: readonly Cell[]): Column[] {
  return cells.flatMap(({ text: name, start }, index): Column[] => {
    const kind = secretKind(name)
    return kind === null ? [] : [{ kind, index, left: start, right: start + name.length }]
  })
}

function htmlRow(text: string, start: number): { cells: Cell[]; end: number } {
  ROW_END.lastIndex = start
  const end = Math.min(ROW_END.exec(text)?.index ?? text.length, start + MOST_HTML_ROW)
  const cells = Array.from(text.slice(start, end).matchAll(HTML_CELL), ({ 0: whole, 1: inner = '', index }) =>
    trimmed(text, start + index + whole.length - inner.length, start + index + whole.length),
  )
  return { cells, end }
}

/**
 * The lines below a header. A line whose cells do not match the header is skipped, since exports contain broken lines. A line that names
 * columns itself may be a row, a header or both: its columns are searched from there on, too.
 */
function addRows(text: string, from: number, divider: Divider, header: Header, spans: Span[]): void {
  const headers = new Map([[header.count, header]])
  let odd = 0
  for (let at = from, row = 0; at < text.length && odd < MOST_ODD; row++) {
    const { cells, end } = readCells(text, at, divider)
    const isEmpty = cells.every((cell) => cell.text === '')
    const isRuler = RULER.test(text.slice(at, Math.min(end, at + MOST_HEADER)))
    if (isRuler ? row > 1 && divider !== '|' : isEmpty && cells.length < 2) return
    const own = isRuler ? null : addRow(cells, at, divider, headers.get(cells.length) ?? header, spans)
    odd = own === false ? odd + 1 : 0
    if (odd === 0) READ_TO.set(spans, end)
    const further = isRuler || end - at > MOST_HEADER ? null : readHeader(text.slice(at, end), divider)
    if (further !== null) headers.set(further.count, withColumns(further, headers.get(further.count)))
    at = end + 1
  }
}

function withColumns(header: Header, other: Header | undefined): Header {
  const more = other?.columns.filter(({ index }) => header.columns.every((column) => column.index !== index))
  return { ...header, columns: [...header.columns, ...(more ?? [])] }
}

/** Returns false if no cell is in any of the columns. */
function addRow(
  cells: readonly Cell[],
  lineStart: number,
  divider: Divider,
  { count, columns, isSure }: Header,
  spans: Span[],
): boolean {
  let isRow = cells.length === count
  for (const column of columns) {
    const places = isRow
      ? [cells[column.index]]
      : divider === 'blanks'
        ? [cells.find((cell) => isBelow(cell, lineStart, column))]
        : // cells are missing at the end, or one contains a divider: count from both ends
          [cells[column.index], cells[cells.length - count + column.index]].filter(isWord)
    for (const cell of places) {
      if (cell === undefined) continue
      if (cells.length > 1) isRow = true
      if (cell.text !== '')
        addSecret(column.kind, { ...cell, isQuoted: true }, { isAlone: isSure, least: 8 }, spans)
    }
  }
  return isRow
}

function isWord(cell: Cell | undefined): boolean {
  return cell !== undefined && !/\s/.test(cell.text)
}

function isBelow({ text, start }: Cell, lineStart: number, { left, right }: Column): boolean {
  return start - lineStart === left || start - lineStart + text.length === right
}

/** The divider after a name that ends a cell; null if it does not, or if the line has no other cells. */
function dividerAt(text: string, end: number): Divider | null {
  const next = text.charAt(end)
  if (!ENDS_CELL.has(next) || (next === ' ' && !ENDS_CELL.has(text.charAt(end + 1)))) return null
  BEHIND.lastIndex = end
  const [, quote = '', sign = ''] = BEHIND.exec(text) ?? []
  if (sign !== '' && sign !== '\n') return sign as Divider
  if (quote === '' && text.startsWith('  ', end) && sign === '') return 'blanks'
  if (sign === '') return null
  // the last cell: use the divider before it
  const before = text.slice(Math.max(0, end - 60), end)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const last = /([,;\t|])[ ]{0,20}"?[\w .-]{1,40}$/.exec(line)?.[1] as Divider | undefined
  return last ?? (/\S {2,40}\S{1,30}$/.test(line) ? 'blanks' : null)
}

const ENDS_CELL = new Set(',;\t|" \r\n')
const BEHIND = /("?) {0,40}(?:\r?([,;\t|\n]))?/y

/** Start of the header line; null if too far away. */
function lineStart(text: string, end: number): number | null {
  const from = Math.max(0, end - MOST_HEADER)
  const start = text.slice(from, end).lastIndexOf('\n') + 1
  if (start === 0 && from > 0) return null
  // the byte order mark, as written by Excel
  return text.charCodeAt(from + start) === 0xfeff ? from + start + 1 : from + start
}

function headerLine(text: string, start: number): string {
  const piece = text.slice(start, start + MOST_HEADER + 1)
  const end = piece.indexOf('\n')
  return end === -1 ? piece : piece.slice(0, end)
}

/** The cells of the row at `at` (only the first ones if there are too many), and where the row ends. */
function readCells(text: string, at: number, divider: Divider): { cells: Cell[]; end: number } {
  if (divider === 'blanks') {
    const end = lineEnd(text, at)
    const line = text.slice(at, Math.min(end, at + MOST_HEADER))
    const found = line.matchAll(/\S+(?: \S+)*/g)
    return { cells: Array.from(found, ({ 0: word, index }) => ({ text: word, start: at + index })), end }
  }
  const cells: Cell[] = []
  let end = lineEnd(text, at)
  for (let from = at; from <= end && cells.length <= MOST_COLUMNS; ) {
    const close = text.charAt(from) === '"' ? closingQuote(text, from, divider) : -1
    if (close === -1) {
      const to = dividerBetween(text, from, end, divider)
      cells.push(trimmed(text, from, to))
      from = to + 1
    } else {
      cells.push({ text: text.slice(from + 1, close), start: from + 1 })
      // a cell with line breaks continues the row below
      if (close > end) end = lineEnd(text, close)
      from = dividerBetween(text, close, end, divider) + 1
    }
  }
  // a table with a border on both sides
  if (divider === '|' && cells[0]?.text === '') {
    cells.shift()
    if (cells.at(-1)?.text === '') cells.pop()
  }
  return { cells, end }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** The next divider, or the end of the line. */
function dividerBetween(
  text: string,
  from: number,
  end: number,
  divider: Exclude<Divider, 'blanks'>,
): number {
  let at = text.indexOf(divider, from)
  // an escaped pipe in a Markdown cell
  while (divider === '|' && at > from && text.charAt(at - 1) === '\\') at = text.indexOf(divider, at + 1)
  return at === -1 || at > end ? end : at
}

function trimmed(text: string, from: number, to: number): Cell {
  const cell = text.slice(from, to)
  const word = cell.trim()
  return { text: word, start: from + cell.indexOf(word) }
}

/** What may follow a quoted cell. */
const CLOSED = /"[ ]{0,20}(?:\r?(?:\n|$)|[,;\t|])/y

/** The closing quote of the cell opened at `open`, by CSV rules; -1 if that quote is an ordinary character. */
function closingQuote(text: string, open: number, divider: Divider): number {
  let at = text.indexOf('"', open + 1)
  while (at !== -1 && at - open < MOST_QUOTED && text.charAt(at + 1) === '"') at = text.indexOf('"', at + 2)
  if (at === -1 || at - open >= MOST_QUOTED) return -1
  CLOSED.lastIndex = at
  const after = CLOSED.exec(text)?.[0].at(-1)
  if (after === undefined || (/[,;\t|]/.test(after) && after !== divider)) return -1
  const cell = text.slice(open, at)
  // a stray quote would hide the header of the next table
  const hidesHeader =
    cell.includes('\n') && cell.split('\n').some((line) => readHeader(line.trim(), divider) !== null)
  return hidesHeader ? -1 : at
}
