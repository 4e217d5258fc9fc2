import { isAscii } from 'node:buffer'
import { FOLDED_ONE_BY_ONE, rawLetters } from './raw-letters.ts'

/** Longer ones are not looked for as a whole: their beginning has to be there as well. */
const MAX_LETTERS = 24
/** Most pieces of a file of this size are ASCII alone, and that is quickly seen. */
const BLOCK_BYTES = 4096
/** How far a text that is spelt with other characters may reach around them. */
const MARGIN_BYTES = 8192

/**
 * Tells whether bytes of a session file may say a text that folds to these letters, which `longestRun` has given. Says
 * yes too often, but never no where the text is there.
 */
export class RawPattern {
  readonly #plain: RegExp | null
  readonly #spelt: RegExp

  constructor(letters: string) {
    const wanted = [...letters].slice(0, MAX_LETTERS)
    this.#plain = ASCII.test(letters) ? new RegExp(wanted.map(plainLetter).join(`(?:${JOINT})*`)) : null
    this.#spelt = speltPattern(wanted)
  }

  isIn(bytes: Buffer): boolean {
    const text = bytes.toString('latin1')
    return (
      this.#plain?.test(text) === true ||
      speltParts(bytes).some(([from, to]) => this.#spelt.test(text.slice(from, to)))
    )
  }
}

/** The parts of a file in which a letter may be written as another character. */
function speltParts(bytes: Buffer): [from: number, to: number][] {
  const parts: [from: number, to: number][] = []
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    // One byte more: an escape may begin with the last one.
    const block = bytes.subarray(start, start + BLOCK_BYTES + 1)
    if (isAscii(block) && !block.includes('\\u')) continue
    const last = parts.at(-1)
    if (last !== undefined && last[1] >= start - MARGIN_BYTES) last[1] = start + BLOCK_BYTES + MARGIN_BYTES
    else parts.push([Math.max(0, start - MARGIN_BYTES), start + BLOCK_BYTES + MARGIN_BYTES])
  }
  return parts
}

function speltPattern(wanted: string[]): RegExp {
  const { variants, joined } = rawLetters()
  const spelt = wanted.map((letter) => {
    const others = anyOf([...(letter < '\x80' ? [] : [letter]), ...(variants.get(letter) ?? [])])
    const written = [letter < '\x80' ? plainLetter(letter) : '', others, ESCAPE].filter((part) => part !== '')
    return `(?:${written.join('|')})`
  })
  const ligatures = joined
    .filter(({ folded }) => canTouch(wanted.join(''), folded))
    .map(({ character }) => character)
  const alternatives = [spelt.join(BETWEEN), anyOf(ligatures), ...ligatures.map(escapeSource)]
  return new RegExp(alternatives.filter((part) => part !== '').join('|'))
}

const ASCII = /^[a-z0-9]*$/

function plainLetter(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`
}

/** The longest run of letters in a folded text that can be looked for in the bytes of a file; null if all are too short. */
export function longestRun(folded: string): string | null {
  let best = ''
  let run = ''
  for (const character of folded) {
    run = FOLDED_ONE_BY_ONE.test(character) ? run + character : ''
    if (run.length > best.length) best = run
  }
  return best.length >= MIN_LETTERS || HAN.test(best) ? best : null
}

const MIN_LETTERS = 3
const HAN = /\p{Script=Han}/u

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
