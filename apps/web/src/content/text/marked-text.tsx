import { useContext } from 'react'
import { HitContext } from './hit-context.ts'
import { markRanges } from './mark-ranges.ts'

/** Text with the words of the search marked. */
export function MarkedText({ text }: { text: string }) {
  const terms = useContext(HitContext)
  if (terms.length === 0) return text
  const pieces = withStarts(markRanges(text, terms))
  return pieces.map((piece) => (piece.isHit ? <mark key={piece.start}>{piece.text}</mark> : piece.text))
}

function withStarts(pieces: ReturnType<typeof markRanges>) {
  let start = 0
  return pieces.map((piece) => {
    const placed = { ...piece, start }
    start += piece.text.length
    return placed
  })
}
