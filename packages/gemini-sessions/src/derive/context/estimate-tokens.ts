/** Google's rule for Gemini models: about four characters a token. It holds for Latin text and code. */
const TOKENS_PER_ASCII = 0.25
/** Other scripts take about one token a character; the CLI (0.61) reckons with 1.5 to be on the safe side. */
const TOKENS_PER_OTHER = 1
/** A small picture, or one tile of a large one, by Google's documentation of Gemini. */
export const PICTURE_TOKENS = 258

/** Most texts have none of these; a regular expression sees that in a quarter of the time that counting takes. */
const OTHER = /[\u0080-\uffff]/

/** Estimated tokens of a text; not rounded, so that small texts add up. */
export function estimateTokens(text: string): number {
  if (!OTHER.test(text)) return text.length * TOKENS_PER_ASCII
  let others = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) others += 1
  return (text.length - others) * TOKENS_PER_ASCII + others * TOKENS_PER_OTHER
}
