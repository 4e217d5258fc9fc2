import type { Span } from './change.ts'
import { addSecret } from './find-assignments.ts'
import type { SecretKind } from './judge.ts'
import { nameKind, secretKind } from './names.ts'

/** More rows of one table are not read. */
const MOST_ROWS = 20_000
const MOST_LINE = 4000
const MOST_COLUMNS = 60

/** How cells of a line are told apart: by a sign, or by blanks below each other. */
type Divider = ',' | ';' | '\t' | '|' | 'blanks'

interface Cell {
  text: string
  start: number
}

/** What a table has for a name of a column: words, no code. */
const COLUMN = /^(?:#|[A-Za-z_][\w .()/#-]{0,40})$/
/** The line between names and rows, and around them. */
const RULER = /^[\s|+:=-]{3,}$/

/** Tables of exports, databases and documents: the name of a column says what its cells are. `end`: of a name in the first line. */
export function addColumns(text: string, end: number, spans: Span[]): void {
  const divider = dividerAt(text, end)
  if (divider === null) return
  const before = text.slice(Math.max(0, end - MOST_LINE), end)
  const start = end - before.length + before.lastIndexOf('\n') + 1
  const header = lineAt(text, start)
  const names = cellsOf(header, start, divider)
  if (names.length < 2 || names.length > MOST_COLUMNS) return
  // a list in code
  if (divider === ',' && names.at(-1)?.text === '') return
  if (names.some(({ text: name }) => name !== '' && !COLUMN.test(name))) return
  const columns = names.flatMap(({ text: name, start: at }, column) => {
    const kind = secretKind(name)
    return kind === null ? [] : [{ column, kind, nameEnd: at + name.length }]
  })
  // the first column has all of them looked through
  if (columns[0]?.nameEnd !== end) return
  const isSure = divider !== '|' && divider !== 'blanks'
  const hasUser = names.some(({ text: name }) => /user|login|mail|account|name|host|e-?mail/i.test(name))
  addRows(text, start + header.length + 1, divider, names.length, (cells) => {
    for (const { column, kind } of columns) addCell(kind, cells[column], isSure || hasUser, spans)
  })
}

/** `COPY users (name, password) FROM stdin;`: as databases are saved. */
const COPY = /copy\s{1,4}[\w."]{1,100}\s{0,4}\(([^()]{2,2000})\)\s{1,4}from\s{1,4}stdin[^\n]{0,60}\n/iy

export function addCopied(text: string, at: number, _: string, spans: Span[]): void {
  COPY.lastIndex = at
  const kinds =
    COPY.exec(text)?.[1]
      ?.split(',')
      .map((name) => secretKind(name.replace(/\W/g, ''))) ?? []
  if (kinds.every((kind) => kind === null)) return
  addRows(text, COPY.lastIndex, '\t', kinds.length, (cells) => {
    for (const [column, kind] of kinds.entries()) if (kind !== null) addCell(kind, cells[column], true, spans)
  })
}

function addCell(kind: SecretKind, cell: Cell | undefined, isAlone: boolean, spans: Span[]): void {
  if (cell !== undefined && cell.text !== '')
    addSecret(kind, { ...cell, isQuoted: true }, { isAlone, least: 8 }, spans)
}

/** Lines with as many cells as there are names, until one has not or has names itself. */
function addRows(
  text: string,
  from: number,
  divider: Divider,
  count: number,
  add: (cells: readonly Cell[]) => void,
): void {
  let at = from
  for (let row = 0; row < MOST_ROWS && at < text.length; row++) {
    const line = lineAt(text, at)
    if (!RULER.test(line)) {
      const cells = cellsOf(line, at, divider)
      if (cells.length !== count || cells.some((cell) => nameKind(cell.text) !== null)) return
      add(cells)
    } else if (row > 1 && divider !== '|') return
    at += line.length + 1
  }
}

/** What follows a name where it ends a cell; null: it does not, or no line has others. */
function dividerAt(text: string, end: number): Divider | null {
  const next = text.charAt(end)
  if (!ENDS_CELL.has(next) || (next === ' ' && !ENDS_CELL.has(text.charAt(end + 1)))) return null
  BEHIND.lastIndex = end
  const [, quote = '', sign = ''] = BEHIND.exec(text) ?? []
  if (sign !== '' && sign !== '\n') return sign as Divider
  if (quote === '' && text.startsWith('  ', end) && sign === '') return 'blanks'
  if (sign === '') return null
  // the last one: what stands before it
  const before = text.slice(Math.max(0, end - 60), end)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const last = /([,;\t|])[ ]{0,20}"?[\w .-]{1,40}$/.exec(line)?.[1] as Divider | undefined
  return last ?? (/\S {2,40}\S{1,30}$/.test(line) ? 'blanks' : null)
}

const ENDS_CELL = new Set(',;\t|" \r\n')
const BEHIND = /("?) {0,40}(?:\r?([,;\t|\n]))?/y

function lineAt(text: string, start: number): string {
  const piece = text.slice(start, start + MOST_LINE + 1)
  const end = piece.indexOf('\n')
  return end === -1 ? piece : piece.slice(0, end)
}

/** As CSV has it: blanks before it are of a list in code. */
const QUOTED = /"((?:[^"\n]|""){0,1000})"[ ]*/y

function cellsOf(written: string, start: number, divider: Divider): Cell[] {
  if (written.length > MOST_LINE) return []
  const line = written.endsWith('\r') ? written.slice(0, -1) : written
  if (divider === 'blanks')
    return [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({ text, start: start + index }))
  const cells: Cell[] = []
  for (let at = 0; at <= line.length && cells.length <= MOST_COLUMNS; ) {
    QUOTED.lastIndex = at
    const quoted = QUOTED.exec(line)
    const next = quoted === null ? line.indexOf(divider, at) : QUOTED.lastIndex
    const end = next === -1 ? line.length : next
    if (quoted !== null && end < line.length && line.charAt(end) !== divider) break
    const text = (quoted?.[1] ?? line.slice(at, end)).trim()
    cells.push({ text, start: start + line.indexOf(text, at) })
    at = end + 1
  }
  // of a table with a line on both sides
  if (divider === '|' && cells[0]?.text === '') {
    cells.shift()
    if (cells.at(-1)?.text === '') cells.pop()
  }
  return cells
}
