/** Cuts Markdown between its blocks into pieces of about so many lines. A block that never ends is cut all the same. */
export function markdownPieces(text: string, pieceLines: number): string[] {
  const pieces: string[] = []
  let piece: string[] = []
  let isInFence = false
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isInFence = !isInFence
    const isBetweenBlocks = line.trim() === '' && !isInFence
    if ((isBetweenBlocks && piece.length >= pieceLines) || piece.length >= pieceLines * 4) {
      pieces.push(piece.join('\n'))
      piece = []
    }
    piece.push(line)
  }
  return [...pieces, piece.join('\n')]
}
