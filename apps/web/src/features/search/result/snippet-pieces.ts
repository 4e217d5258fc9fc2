export type SnippetPiece = { start: number; text: string; isHit: boolean }

/** Cuts a snippet at its ranges (UTF-16 offsets, end exclusive). Ranges that overlap or lie outside do no harm. */
export function snippetPieces(snippet: string, ranges: readonly [number, number][]): SnippetPiece[] {
  const pieces: SnippetPiece[] = []
  let at = 0
  const push = (end: number, isHit: boolean) => {
    if (end > at) pieces.push({ start: at, text: snippet.slice(at, end), isHit })
    at = Math.max(at, end)
  }
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    push(Math.min(start, snippet.length), false)
    push(Math.min(end, snippet.length), true)
  }
  push(snippet.length, false)
  return pieces
}
