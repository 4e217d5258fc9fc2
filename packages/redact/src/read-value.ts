/** A value as it is written: where it is, and how. */
export interface Value {
  text: string
  start: number
  isQuoted: boolean
}

const MOST_VALUE = 4000
/** A quote, also in a list, or behind the letter of a kind of string. */
const OPENING = /(?:\[[ \t]{0,4})?[bruflLN@$]{0,2}("""|'''|["'`“])/y
const INLINE = /[^\s"'`\\,;<>{}()[\]&|]{1,4000}/y
/** Of a line that holds no more than this. */
const LINE = /[^\s"'`\\<>]{1,4000}/y
const ARGUMENT = /[^\s"'`;|&<>()\\,]{1,1000}/y

/** What ends a value that has no quotes: any sign of code, a blank, or what a shell or list ends an argument with. */
export type Bare = 'code' | 'line' | 'argument'

/** What stands at `at`: to the quote that ends it, else as `bare` says. null: nothing. */
export function readValue(text: string, at: number, bare: Bare): Value | null {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening !== null) {
    const start = at + opening[0].length
    const quote = opening[1] === '“' ? '”' : (opening[1] ?? '"')
    const end = closingOf(text, start, quote)
    return end <= start ? null : { text: text.slice(start, end), start, isQuoted: true }
  }
  const form = bare === 'code' ? INLINE : bare === 'line' ? LINE : ARGUMENT
  form.lastIndex = at
  const found = form.exec(text)?.[0]
  const trimmed = bare === 'line' ? found?.replace(/[,;)\]}]{1,4}$/, '') : found
  return trimmed === undefined || trimmed === '' ? null : { text: trimmed, start: at, isQuoted: false }
}

/** Where the quote ends, at the latest at the line's end. */
function closingOf(text: string, start: number, quote: string): number {
  const piece = text.slice(start, start + MOST_VALUE)
  const lineEnd = quote.length === 3 ? -1 : piece.indexOf('\n')
  const last = lineEnd === -1 ? piece.length : lineEnd
  for (let at = piece.indexOf(quote); at !== -1 && at < last; at = piece.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (backslashes < 16 && piece.charCodeAt(at - backslashes - 1) === 92) backslashes++
    if (backslashes % 2 === 0) return start + at
  }
  return start + last
}
