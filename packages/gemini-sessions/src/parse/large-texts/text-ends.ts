import type { RawText } from './raw-text.ts'

/** Where in a text such a file is named: in so many characters at its start or end. */
const MENTION_CHARS = 16_384
/** Bytes enough for 128 characters: as many as are looked at, or stand in a stand-in. */
const START_BYTES = 400
/** Bytes enough for 2,000 characters, among which exit code and signal stand. */
const END_BYTES = 6_000
const TAIL_WORDS = ['Exit Code: ', 'Signal: ']

/** The first and the last characters; of shorter texts both are all. */
export interface TextEnds {
  start: string
  end: string
}

export function endsOf(text: string): TextEnds {
  return { start: text.slice(0, MENTION_CHARS), end: text.slice(-MENTION_CHARS) }
}

/** Only as much as says what the whole would say. */
export function endsOfRaw(raw: RawText): TextEnds {
  if (raw.mayHold(MENTION_WORDS, MENTION_CHARS)) return endsOf(raw.decode())
  return {
    start: raw.start(START_BYTES),
    end: raw.mayHold(TAIL_WORDS, END_BYTES) ? raw.end(END_BYTES) : '',
  }
}

/** What its stand-in begins with tells as much as itself, and it does not name a file that holds the whole output. */
export function isDispensable({ start, end }: TextEnds): boolean {
  if (start.slice(0, 64).trimStart().length < 32) return false
  if (TAIL_WORDS.some((words) => start.slice(0, 128).includes(words))) return false
  return !hasMention(start) && !(start.length === MENTION_CHARS && hasMention(end))
}

/** "Full output saved to: …", in the words of all versions. */
const MENTION_WORDS = ['full ', 'Full ']
const MENTION = /full (?:output|string) (?:available at|saved to|has been saved to|see):/i

function hasMention(text: string): boolean {
  // The search for a word is several times faster than the expression, and mostly finds none.
  return MENTION_WORDS.some((word) => text.includes(word)) && MENTION.test(text)
}
