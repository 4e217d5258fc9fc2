/** Text as searches compare it: compatibility forms unified, accents and case removed. Not length-preserving. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
