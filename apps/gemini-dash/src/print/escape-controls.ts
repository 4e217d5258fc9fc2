// Control characters move the cursor and set titles; bidi marks and invisible ones make text read as what it is not.
const HARMFUL = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2065\ufeff]/gu

/** Text of a file, fit for a terminal: what would act on it is shown as `\x1b`. Line ends and tabs stay. */
export function escapeControls(text: string): string {
  return text.replace(HARMFUL, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = character.charCodeAt(0)
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** The same in one line. */
export function escapeLine(text: string): string {
  return escapeControls(text.replace(/\s*[\r\n\t]+\s*/g, ' '))
}
