/** Straight, German, French and English quotes open and close a phrase or a value. */
export const QUOTES = '"“”„«»'

/** What stands between two quotes: within, a backslash makes a quote a sign like any other. */
export const WITHIN_QUOTES = `(?:\\\\[${QUOTES}]|[^${QUOTES}])*`

const QUOTE = new RegExp(`[${QUOTES}]`, 'gu')
const WRITTEN_QUOTE = new RegExp(`(\\\\?)([${QUOTES}])`, 'gu')

/** What was written, without its quotes; those behind a backslash are meant. */
export function unquote(written: string): string {
  return written.replace(WRITTEN_QUOTE, (_, backslash: string, quote: string) => (backslash ? quote : ''))
}

/** In quotes, so that blanks, commas, parentheses and quotes are part of it. */
export function inQuotes(value: string): string {
  return `"${value.replace(QUOTE, '\\$&')}"`
}

/** Has to be quoted to be one value. */
export function needsQuotes(value: string): boolean {
  return /[\s,()]/.test(value) || value.search(QUOTE) !== -1
}
