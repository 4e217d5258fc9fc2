import { RELEVANT, type ScannedBytes } from './byte-scanner.ts'
import { rawLetters } from './raw-letters.ts'
import { touchingLigatures } from './spelt-pattern.ts'

/** What the scanner has to look for to find these letters. */
export function toScannedBytes(wanted: string[]): ScannedBytes {
  const bytes = Buffer.from(wanted.join(''))
  return {
    wanted: bytes,
    ignored: bytes.map((byte) => (isAsciiLetter(byte) ? CASE_BIT : 0)),
    rarest: rarestOf(bytes),
    before: byteSet(wanted.slice(0, -1).flatMap(lastBytes)),
    behindQuote: byteSet([...Buffer.from(' \t\r\n,}')]),
    characters: toCharacterTable(wanted),
  }
}

const CASE_BIT = 0x20

/** The ASCII letters and digits from the most to the least frequent in sessions; what is not among them is rarer. */
const MOST_FREQUENT = 'etaoinsrl0cdum1h2pf3456789gbwyvkxjqz'

function rarestOf(bytes: Uint8Array): [number, number] {
  const frequency = (byte: number) => {
    const place = MOST_FREQUENT.indexOf(String.fromCharCode(byte))
    // Characters of one script share their first bytes.
    return place >= 0 ? place : byte >= 0xc0 ? 0 : MOST_FREQUENT.length
  }
  const [rarest = 0, second = rarest] = [...bytes.keys()].sort(
    (a, b) => frequency(bytes[b] ?? 0) - frequency(bytes[a] ?? 0),
  )
  return [rarest, second]
}

function byteSet(bytes: number[]): Uint8Array {
  const set = new Uint8Array(256)
  for (const byte of bytes) set[byte] = 1
  return set
}

/** Of a letter, in any case. */
export function lastBytes(letter: string): number[] {
  const last = Buffer.from(letter).at(-1) ?? 0
  return isAsciiLetter(last) ? [last, last & ~CASE_BIT] : [last]
}

function isAsciiLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}

/** What characters are to the letters, by their first two bytes. */
function toCharacterTable(wanted: string[]): Uint8Array {
  const { variants, invisible } = rawLetters()
  const table = new Uint8Array(0x1_00_00)
  const mark = (characters: string[], relevance: number) => {
    for (const character of characters) {
      const place = Buffer.from(character).readUInt16BE()
      table[place] = (table[place] ?? 0) | relevance
    }
  }
  mark(invisible, RELEVANT.between)
  for (const letter of wanted) mark(variants.get(letter) ?? [], RELEVANT.asLetter)
  mark(touchingLigatures(wanted), RELEVANT.asLetter)
  return table
}
