/** A value as written: its position, and whether it is quoted. */
export interface Value {
  text: string
  start: number
  isQuoted: boolean
}

const MOST_VALUE = 4000
/** A quote, optionally in a list or after a string prefix. */
const OPENING = /(?:\[[ \t]{0,4})?[bruflLN@$]{0,2}("""|'''|["'`“])/y
const INLINE = /[^\s"'`\\,;<>{}()[\]&|]{1,4000}/y
/** The value is all that the line contains. */
const LINE = /[^\s"'`\\<>]{1,4000}/y
const ARGUMENT = /[^\s"'`;|&<>()\\,]{1,1000}/y

/** What ends an unquoted value: any code character, whitespace, or the end of an argument in a shell or list. */
export type Bare = 'code' | 'line' | 'argument'

/** The value at `at`: up to its closing quote, or as `bare` says. null if there is none. */
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

/** Where the quote closes, at the latest at the end of the line. */
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
