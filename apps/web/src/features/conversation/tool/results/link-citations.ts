/** Fenced blocks and code in a line keep their brackets. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/

/** Markdown in which `[1]` leads to the source of that number; other numbers in brackets stay what they are. */
export function linkCitations(
  text: string,
  numbers: readonly number[],
  hrefOf: (number: number) => string,
): string {
  const known = new Set(numbers)
  return text
    .split(CODE)
    .map((piece, index) => (index % 2 === 1 ? piece : linkPiece(piece, known, hrefOf)))
    .join('')
}

/** `[1](address)` and `[1]: address` are links already. */
function linkPiece(text: string, known: ReadonlySet<number>, hrefOf: (number: number) => string): string {
  return text.replace(/\[(\d{1,3})\](?![(:])/g, (whole, digits) =>
    known.has(Number(digits)) ? `[\\[${digits}\\]](${hrefOf(Number(digits))})` : whole,
  )
}
