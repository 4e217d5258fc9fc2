import { rawLetters } from './raw-letters.ts'

/** An expression over bytes (as Latin-1) for all ways in which a session file may say these letters. */
export function speltPattern(wanted: string[]): RegExp {
  const { variants } = rawLetters()
  const spelt = wanted.map((letter) => {
    const others = anyOf([...(letter < '\x80' ? [] : [letter]), ...(variants.get(letter) ?? [])])
    const written = [letter < '\x80' ? plainLetter(letter) : '', others, ESCAPE].filter((part) => part !== '')
    return `(?:${written.join('|')})`
  })
  const ligatures = touchingLigatures(wanted)
  const alternatives = [spelt.join(BETWEEN), anyOf(ligatures), ...ligatures.map(escapeSource)]
  return new RegExp(alternatives.filter((part) => part !== '').join('|'), 'y')
}

/** Characters that fold to several, of which some may be of the text. */
export function touchingLigatures(wanted: string[]): string[] {
  return rawLetters()
    .joined.filter(({ folded }) => canTouch(wanted.join(''), folded))
    .map(({ character }) => character)
}

function plainLetter(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`
}

/** JSON may spell any character so. */
const ESCAPE = '\\\\u[0-9a-fA-F]{4}'
// The model joins the texts of adjacent parts and the tokens of a terminal line without a blank: a word may begin in one
// and end in the next.
const NEXT_TEXT =
  '"\\s*(?:,\\s*"[^{}]{0,400})?\\}(?:\\s*,\\s*\\{[^{}]{0,2000}\\}){0,2}\\s*,\\s*\\{[^{}]{0,400}"text"\\s*:\\s*"'
const NEXT_STRING = '"\\s*,\\s*"'
const JOINT = `${NEXT_TEXT}|${NEXT_STRING}`
/** Accents and invisible characters fold to nothing. That any other character does, too, is rarely too much. */
const BETWEEN = `(?:[\\x80-\\xff]|${ESCAPE}|${JOINT})*`

/** Could such a character be part of the text, or reach over one of its ends? */
function canTouch(text: string, folded: string): boolean {
  if (text.includes(folded) || folded.includes(text)) return true
  for (let length = 1; length < folded.length; length++) {
    if (text.startsWith(folded.slice(-length)) || text.endsWith(folded.slice(0, length))) return true
  }
  return false
}

/** Source of an expression for one of the characters as UTF-8 bytes; what differs in the last byte only shares the rest. */
function anyOf(characters: string[]): string {
  const lastBytes = new Map<string, number[]>()
  for (const character of characters) {
    const bytes = [...Buffer.from(character)]
    const last = bytes.pop() ?? 0
    const start = bytes.map(byteSource).join('')
    lastBytes.set(start, [...(lastBytes.get(start) ?? []), last])
  }
  return [...lastBytes].map(([start, last]) => `${start}[${last.map(byteSource).join('')}]`).join('|')
}

function byteSource(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}

function escapeSource(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => {
      const digits = character.charCodeAt(index).toString(16).padStart(4, '0')
      return `\\\\u${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`
    })
    .join('')
}
