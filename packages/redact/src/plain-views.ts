import { decodeBase64 } from './judge.ts'

/** A text with its escapes decoded, and where each character is in the original text. */
export interface PlainView {
  text: string
  /** Maps `start` to `end` (exclusive) to the original text. */
  placeOf: (start: number, end: number) => { start: number; end: number }
}

/** How deeply escaped texts may be nested. */
const MOST_LEVELS = 3
/** Terminal escape sequences, zero-width characters, and escapes in strings, URLs and HTML. */
const WRITTEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001b|\\u001[bB]|\\x1[bB]|\\033|\\e)(?:\[[0-9;?]{0,40}[ -/]{0,2}[@-~]|\][^\u0007\u001b\n]{0,400}(?:\u0007|\u001b\\))|\u001b[()][A-Z0-9]|[\u200b-\u200d\u2060\ufeff\u00ad]|\\(?:u[0-9a-fA-F]{4}|[nrt"'/\\])|(?:%[0-9A-Fa-f]{2})+|&(?:#[0-9]{2,4}|#x[0-9a-fA-F]{2,4}|amp|lt|gt|quot|apos|commat);/g
/** Each of them contains one of these. */
const SIGNS_OF_WRITTEN = [
  '\\',
  '%',
  '&',
  '\u001b',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
]
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  commat: '@',
}
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Decoded versions of a text, each with one more level of escapes removed: only lines that have escapes. Most texts have none. */
export function plainViews(text: string): PlainView[] {
  const views: PlainView[] = []
  if (!SIGNS_OF_WRITTEN.some((sign) => text.includes(sign))) return views
  for (let inner: PlainView | undefined; views.length < MOST_LEVELS; inner = views.at(-1)) {
    const view = viewOf(inner?.text ?? text)
    if (view === null) break
    const outer = inner
    views.push({
      text: view.text,
      placeOf: (start, end) => {
        const place = view.placeOf(start, end)
        return outer === undefined ? place : outer.placeOf(place.start, place.end)
      },
    })
  }
  return views
}

function meant(found: string): string {
  const sign = found.charAt(0)
  if (sign === '%') return percentDecoded(found)
  if (sign === '&') {
    const name = found.slice(1, -1)
    if (!name.startsWith('#')) return ENTITIES[name] ?? found
    return String.fromCharCode(
      name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)),
    )
  }
  if (sign !== '\\' || /^\\(?:u001b|x1b|033|e)/i.test(found)) return ''
  const letter = found.charAt(1)
  return letter === 'u'
    ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
    : (LETTERS[letter] ?? letter)
}

function percentDecoded(found: string): string {
  try {
    return decodeURIComponent(found)
  } catch {
    return found
  }
}

/** null if nothing in the text is escaped. */
function viewOf(text: string): PlainView | null {
  const pieces: string[] = []
  /** Where pieces begin in the view and in the text, and where they end in the text. */
  const viewStarts: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  let length = 0
  let done = 0
  const add = (piece: string, start: number, end: number) => {
    if (piece === '') return
    pieces.push(piece)
    viewStarts.push(length)
    starts.push(start)
    ends.push(end)
    length += piece.length
  }
  /** End of the line read last. */
  let lineEnd = text.indexOf('\n')
  for (const { index, 0: found } of text.matchAll(WRITTEN)) {
    // lines without escapes are left out, except for the line break
    if (lineEnd !== -1 && lineEnd < index) {
      if (done > 0) add(text.slice(done, lineEnd), done, lineEnd)
      done = text.lastIndexOf('\n', index) + 1
      add('\n', done - 1, done)
      lineEnd = text.indexOf('\n', index)
    }
    add(text.slice(done, index), done, index)
    done = index + found.length
    add(meant(found), index, done)
  }
  if (done === 0) return null
  const end = lineEnd === -1 ? text.length : lineEnd
  add(text.slice(done, end), done, end)
  const pieceAt = (at: number) => {
    let low = 0
    let high = viewStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((viewStarts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low
  }
  /** Whether it is a decoded escape. */
  const isMeant = (piece: number) => pieces[piece]?.length !== (ends[piece] ?? 0) - (starts[piece] ?? 0)
  const placeOf = (start: number, end: number) => {
    const first = pieceAt(start)
    const last = pieceAt(end - 1)
    return {
      start: (starts[first] ?? 0) + (isMeant(first) ? 0 : start - (viewStarts[first] ?? 0)),
      end: isMeant(last) ? (ends[last] ?? 0) : (starts[last] ?? 0) + end - (viewStarts[last] ?? 0),
    }
  }
  return { text: pieces.join(''), placeOf }
}

export interface EncodedRun {
  start: number
  end: number
  /** The decoded text. */
  plain: string
}

const LEAST_RUN = 16
const MOST_RUN = 16_000
/** 1: part of a run; 2: base64 of a letter begins with it; 4: a letter in hexadecimal begins with it. */
const SIGNS = new Uint8Array(128)
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  SIGNS[sign.charCodeAt(0)] = /[I-Za-f]/.test(sign) ? 3 : /[2-7]/.test(sign) ? 5 : 1

/** Runs of base64 or hexadecimal that decode to text. */
export function* encodedRuns(text: string): Generator<EncodedRun> {
  // no run is shorter than a step, so most characters are skipped
  for (let at = LEAST_RUN - 1; at < text.length; at += LEAST_RUN) {
    if (!isIn(text.charCodeAt(at))) continue
    let start = at
    while (start > 0 && at - start < LEAST_RUN && isIn(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (isIn(text.charCodeAt(end))) end++
    at = end
    if (end - start < LEAST_RUN || end - start > MOST_RUN || SIGNS[text.charCodeAt(start)] === 1) continue
    const head = text.slice(start, start + LEAST_RUN)
    const decode = BASE64_HEAD.test(head) ? decodeBase64 : HEX_HEAD.test(head) ? decodeHex : null
    const plain = decode && asText(decode(text.slice(start, end)))
    if (plain !== null)
      yield { start, end: end + (/^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0), plain }
  }
}

function isIn(code: number): boolean {
  return code < 128 && SIGNS[code] !== 0
}

/** Each group of three letters begins like this; in UTF-16 every other byte is zero. */
const BASE64_HEAD = /^[I-Za-f](?:...[AI-Za-f]){3}/
const HEX_HEAD = /^(?:[2-7][0-9a-fA-F]){6}/

function decodeHex(run: string): string {
  return !/^(?:[0-9a-fA-F]{2})+$/.test(run)
    ? ''
    : run.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
}

/** null if it is not text. PowerShell encodes UTF-16. */
function asText(decoded: string): string | null {
  const plain = decoded.charCodeAt(1) === 0 ? decoded.replaceAll('\0', '') : decoded
  return /^[\t\n\r\x20-\x7e]{6,}$/.test(plain) ? plain : null
}
