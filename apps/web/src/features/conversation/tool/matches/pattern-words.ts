/** What a regular expression leaves open: choices, wildcards, classes, groups, anchors. */
const OPEN_PARTS =
  /\\[bBsSwWdD][+*?]?|\[[^\]]*\][+*?]?|\.[*+?]{1,2}|\)[*+?]?|[|(^$]|(?<=\w)[*+?]|\{\d+,?\d*\}/g
/** Shorter pieces would mark too much. */
const MIN_LENGTH = 2

/** Where escaped signs wait, so that they are not taken for what they would mean. */
const PRIVATE_USE = 0xe000

/** The words of a search pattern that can be marked as they are. A pattern from a log is never run. */
export function patternWords(pattern: string): string[] {
  const bare = pattern.replace(/^["']|["']$/g, '')
  const kept = bare.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) =>
    String.fromCharCode(PRIVATE_USE + sign.charCodeAt(0)),
  )
  const pieces = kept.split(OPEN_PARTS).map(unescaped)
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined && only !== '') return [only]
  return [...new Set(pieces.filter((piece) => piece.trim().length >= MIN_LENGTH))]
}

function unescaped(piece: string): string {
  return piece.replace(/[\ue021-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - PRIVATE_USE))
}
