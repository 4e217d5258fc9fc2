// Control characters move the cursor and set titles; bidi and invisible characters make text read as something else, and tag characters are
// letters that only a model reads.
const HARMFUL = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2065\ufeff\u{e0000}-\u{e007f}]/gu

/** Text from a file, made safe for a terminal: control characters are shown as `\x1b`. Line ends and tabs stay. */
export function escapeControls(text: string): string {
  return text.replace(HARMFUL, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = character.codePointAt(0) ?? 0
    const digits = code.toString(16)
    if (code < 0x100) return `\\x${digits.padStart(2, '0')}`
    return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`
  })
}

/** The same, on one line. */
export function escapeLine(text: string): string {
  return escapeControls(text.replace(/\s*[\r\n\t]+\s*/g, ' '))
}

/** JSON safe for a terminal: the same value, with control characters escaped as `\u009b`. */
export function escapeJson(json: string): string {
  // between values JSON has only line ends and spaces, so each of these is inside a string
  return json.replace(HARMFUL, (character) => {
    if (character === '\n' || character === '\t') return character
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}
