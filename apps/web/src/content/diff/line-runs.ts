import type { CodeRole, CodeToken } from '../highlight/code-token.ts'
import type { WordPiece } from './word-changes.ts'

/** A run of one line in one colour, changed or not. `start` is its offset in the line. */
export interface LineRun {
  text: string
  start: number
  role: CodeRole | null
  isChanged: boolean
}

/** A line cut where its colour or its being changed begins and ends. */
export function lineRuns(
  text: string,
  tokens: readonly CodeToken[] | undefined,
  words: readonly WordPiece[] | undefined,
): LineRun[] {
  const colours = withEnds(
    tokens?.map(({ text, role }) => ({ length: text.length, value: role })),
    text,
  )
  const changes = withEnds(
    words?.map(({ text, isChanged }) => ({ length: text.length, value: isChanged })),
    text,
  )
  const ends = [...new Set([...colours, ...changes].map(({ end }) => end))].sort((one, other) => one - other)
  let start = 0
  return ends.map((end) => {
    const run = {
      text: text.slice(start, end),
      start,
      role: colours.find((colour) => colour.end >= end)?.value ?? null,
      isChanged: changes.find((change) => change.end >= end)?.value ?? false,
    }
    start = end
    return run
  })
}

function withEnds<T>(pieces: { length: number; value: T }[] | undefined, text: string) {
  let end = 0
  const placed = (pieces ?? []).map(({ length, value }) => {
    end = Math.min(end + length, text.length)
    return { end, value }
  })
  return end < text.length ? [...placed, { end: text.length, value: undefined }] : placed
}
