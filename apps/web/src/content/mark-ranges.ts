/** A piece of text that is, or is not, a hit. */
export interface MarkedPiece {
  text: string
  isHit: boolean
}

/** Cuts `text` at every occurrence of a term. Case and accents are ignored, as the search does. */
export function markRanges(text: string, terms: readonly string[]): MarkedPiece[] {
  const pattern = termPattern(terms)
  if (pattern === null || text === '') return [{ text, isHit: false }]
  const folded = foldText(text)
  const pieces: MarkedPiece[] = []
  let end = 0
  for (const match of folded.matchAll(pattern)) {
    const start = match.index
    if (start > end) pieces.push({ text: text.slice(end, start), isHit: false })
    end = start + match[0].length
    pieces.push({ text: text.slice(start, end), isHit: true })
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false })
  return pieces
}

export function hasHit(text: string, terms: readonly string[]): boolean {
  const pattern = termPattern(terms)
  return pattern?.test(foldText(text)) ?? false
}

function termPattern(terms: readonly string[]): RegExp | null {
  const sources = terms
    .map(foldText)
    .filter((term) => term !== '')
    .sort((a, b) => b.length - a.length)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return sources.length === 0 ? null : new RegExp(sources.join('|'), 'gu')
}

/** Lower case without accents, one UTF-16 unit for each of the original, so that offsets stay true. */
function foldText(text: string): string {
  let folded = ''
  for (const character of text) {
    const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    folded += plain.length === character.length ? plain : character
  }
  return folded
}
