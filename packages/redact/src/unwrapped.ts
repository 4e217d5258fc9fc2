/** What separates two pieces of a broken text: a line break, a continuation, string concatenation, a soft hyphen. */
const BREAK =
  /\\?\r?\n[ \t]{0,16}(?:[│|>+][ \t]?)?|["'][ \t]{0,4}[+.]?[ \t]{0,4}\\?\r?\n?[ \t]{0,40}[+.]?[ \t]{0,4}["']|[\u200b\u00ad\ufeff]/y
const RUN = /[A-Za-z0-9_.+/=~%$-]{1,400}/y
const MOST_BREAKS = 6
/** A shorter line was not wrapped by a terminal. */
const LEAST_WIDTH = 38
const MOST_WIDTH = 600

/**
 * The text that continues at `at` past breaks, and where each length of it ends; null if no break follows, or if it is before `end`. A line
 * break counts only if its line is as long as any nearby.
 */
export function unwrapped(
  text: string,
  at: number,
  end: number,
): { text: string; placeOf: (length: number) => number } | null {
  RUN.lastIndex = at
  let joined = RUN.exec(text)?.[0] ?? ''
  let from = at + joined.length
  if (from < end || !/[\n\r\\"'\u200b\u00ad\ufeff]/.test(text.charAt(from))) return null
  const pieces: [length: number, place: number][] = [[0, at]]
  while (pieces.length <= MOST_BREAKS) {
    BREAK.lastIndex = from
    const found = BREAK.exec(text)?.[0] ?? ''
    if (
      found === '' ||
      (/\n/.test(found) && !/["'\\]/.test(found) && !fillsLine(text, from, from + found.length))
    )
      break
    RUN.lastIndex = from + found.length
    const next = RUN.exec(text)?.[0]
    if (next === undefined) break
    pieces.push([joined.length, from + found.length])
    joined += next
    from += found.length + next.length
  }
  if (pieces.length === 1) return null
  const placeOf = (length: number) => {
    const [before, place] = pieces.findLast(([start]) => start < length) ?? [0, at]
    return place + length - before
  }
  return { text: joined, placeOf }
}

/** The line that ends here fills the terminal: neither the next nor the previous line is longer. */
function fillsLine(text: string, end: number, nextStart: number): boolean {
  const before = text.slice(Math.max(0, end - 2 * MOST_WIDTH), end)
  const start = before.lastIndexOf('\n')
  const width = before.length - start - 1
  if (width < LEAST_WIDTH || width > MOST_WIDTH) return false
  const after = text.slice(nextStart, nextStart + MOST_WIDTH + 1)
  const nextEnd = after.indexOf('\n')
  if ((nextEnd === -1 ? after.length : nextEnd) > width + 2) return false
  return start < 1 || start - 1 - before.lastIndexOf('\n', start - 1) <= width
}
