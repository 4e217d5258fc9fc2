import { useContext } from 'react'
import { HitContext, ToolMatchContext } from './hit-context.ts'
import { markRanges } from './mark-ranges.ts'

/** Text with the words of the find marked, and otherwise than those what a tool of the session has found itself. */
export function MarkedText({ text }: { text: string }) {
  const terms = useContext(HitContext)
  const matches = useContext(ToolMatchContext)
  if (terms.length === 0 && matches.length === 0) return text
  return withStarts(markRanges(text, terms)).map((piece) => {
    if (piece.isHit) return <mark key={piece.start}>{piece.text}</mark>
    if (matches.length === 0) return piece.text
    return withStarts(markRanges(piece.text, matches)).map((own) =>
      own.isHit ? (
        <mark key={`${piece.start} ${own.start}`} className="tool-match">
          {own.text}
        </mark>
      ) : (
        own.text
      ),
    )
  })
}

function withStarts(pieces: ReturnType<typeof markRanges>) {
  let start = 0
  return pieces.map((piece) => {
    const placed = { ...piece, start }
    start += piece.text.length
    return placed
  })
}
