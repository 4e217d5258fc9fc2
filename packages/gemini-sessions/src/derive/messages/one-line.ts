/** Terminal colours (a control character and `[31m`), and marks that turn the direction of all text after them. */
const INVISIBLE = /\p{Cc}\[[\d;]*[A-Za-z]|[\u202A-\u202E\u2066-\u2069]/gu

/** Text on one line, at most `maxLength` characters, cut with an ellipsis and never inside a surrogate pair. */
export function oneLine(text: string, maxLength: number): string {
  // Enough for any line of this length, however many blanks there are to collapse.
  const head = text.slice(0, maxLength * 20)
  const line = head
    .replace(INVISIBLE, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= maxLength) return line
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`
}
