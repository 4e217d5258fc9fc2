import { MOST_AT_ONCE } from './most-at-once.ts'

/** Text shortened to whole lines, each of a length that can be drawn. */
export interface ClippedText {
  text: string
  shownLines: number
  totalLines: number
  isClipped: boolean
}

/** The first `maxLines` lines. A trailing line end opens no line. */
export function clipLines(text: string, maxLines: number): ClippedText {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const totalLines = countLines(body)
  const lines = body.split('\n', maxLines)
  const shown = lines.map((line) =>
    line.length > MOST_AT_ONCE.letters ? `${line.slice(0, MOST_AT_ONCE.letters)}…` : line,
  )
  const shownLines = lines.length
  const isLineClipped = lines.some((line) => line.length > MOST_AT_ONCE.letters)
  return {
    text: shown.join('\n'),
    shownLines,
    totalLines,
    isClipped: shownLines < totalLines || isLineClipped,
  }
}

function countLines(text: string): number {
  let count = 1
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count += 1
  return count
}
