/** Text shortened to whole lines, each of a length that can be drawn. */
export interface ClippedText {
  text: string
  shownLines: number
  totalLines: number
  isClipped: boolean
}

const MAX_LINE_LENGTH = 4_000

/** The first `maxLines` lines. A trailing line end opens no line. */
export function clipLines(text: string, maxLines: number): ClippedText {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const totalLines = countLines(body)
  const lines = body.split('\n', maxLines)
  const shown = lines.map((line) =>
    line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line,
  )
  const shownLines = lines.length
  const isLineClipped = lines.some((line) => line.length > MAX_LINE_LENGTH)
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
