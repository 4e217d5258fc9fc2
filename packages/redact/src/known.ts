import type { ChangeKind, FindAt, RedactOptions, Span } from './changes.ts'
import { isCommonHost, isCommonUser } from './find-person.ts'

/** More are not remembered: a text that is made of secrets has lost its use. */
const MOST_WORDS = 5000
const MOST_LENGTH = 4000
/** A short text is searched for few words faster one by one. */
const SHORT_TEXT = 2000
const FEW_WORDS = 24
const WORTH_A_TABLE = 500_000

type Check = (text: string, at: number) => Pick<Span, 'start' | 'end'> | null

interface KnownWord {
  kind: ChangeKind
  name: string
  replacement: string
  check: Check
}

/**
 * What is known of a person and of secrets: what redaction was handed, and what was found once under a name, behind a flag or in a
 * path. All of it is redacted wherever it stands, in each of its forms.
 */
export class Known {
  readonly #words: [literal: string, find: FindAt][] = []
  /** Of all words; made when a long text is read. */
  #table: WordTable<FindAt> | null = null
  #wholeTable: WordTable<FindAt> | null = null
  #readLength = 0
  readonly #seen = new Set<string>()
  /** Secrets as they were found. */
  readonly #given = new Set<string>()

  constructor({ homes = [], userNames = [], hostNames = [] }: RedactOptions = {}) {
    for (const home of homes) this.#addHome(home)
    for (const user of userNames) if (user.length > 1 && !/^root$/i.test(user)) this.#addUser(user)
    for (const host of hostNames) if (host.length > 1 && !/^localhost$/i.test(host)) this.#addHost(host)
  }

  get isEmpty(): boolean {
    return this.#seen.size === 0
  }

  /** What a span says beyond its own place. */
  learn(text: string, span: Span): void {
    const { kind, name, start, end, learned } = span
    if (this.#seen.size > MOST_WORDS) return
    if (kind === 'secret') {
      if (name === 'private key')
        for (const line of keyLines(text.slice(start, end))) this.#addSecret(line, name)
      else if (name !== 'cookie') this.#addSecret(text.slice(start, end), name)
    } else if (learned !== undefined && kind === 'host') {
      if (!isCommonHost(learned)) this.#addHost(learned)
    } else if (learned !== undefined && !isCommonUser(learned)) this.#addUser(learned)
  }

  /** All of it that stands in a text. */
  find(text: string): Span[] {
    const spans: Span[] = []
    if (text.length < SHORT_TEXT && this.#words.length < FEW_WORDS) {
      for (const [literal, find] of this.#words)
        for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length))
          find(text, at, spans)
      return spans
    }
    this.#table ??= WordTable.of(this.#words)
    this.#table.each(text, (find, at) => find(text, at, spans))
    return spans
  }

  /**
   * Its words among others, so that one pass finds all; null: that is not worth it yet.
   *
   * @param length of the text that is read next
   */
  tableWith(others: readonly [literal: string, find: FindAt][], length: number): WordTable<FindAt> | null {
    this.#readLength += length
    if (this.isEmpty || this.#readLength < WORTH_A_TABLE) return null
    this.#wholeTable ??= WordTable.of([...others, ...this.#words])
    return this.#wholeTable
  }

  #put(literal: string, word: KnownWord): void {
    const { kind, name, replacement, check } = word
    this.#words.push([
      literal,
      (text, at, spans) => {
        const place = check(text, at)
        if (place !== null) spans.push({ kind, name, replacement, ...place })
      },
    ])
    this.#table = null
    this.#wholeTable = null
  }

  #add(literal: string, word: KnownWord): void {
    if (this.#seen.has(`${word.kind} ${literal}`) || literal.length < 2) return
    this.#seen.add(`${word.kind} ${literal}`)
    if (literal.charCodeAt(0) < 128 && literal.charCodeAt(1) < 128) this.#put(literal, word)
  }

  #addHome(home: string): void {
    for (const path of spellings(home)) {
      const check: Check = (text, at) =>
        !/[A-Za-z0-9_-]/.test(text.charAt(at + path.length)) && !/[A-Za-z0-9_.]/.test(text.charAt(at - 1))
          ? { start: at, end: at + path.length }
          : null
      this.#add(path, { kind: 'home', name: 'home folder', replacement: '~', check })
    }
  }

  #addUser(user: string): void {
    const word = { kind: 'user', name: 'user name', replacement: '[user]' } as const
    for (const form of nameForms(user))
      this.#add(form, {
        ...word,
        check: (text, at) =>
          standsForUser(text, at, form.length) ? { start: at, end: at + form.length } : null,
      })
  }

  #addHost(host: string): void {
    const word = { kind: 'host', name: 'host name', replacement: '[host]' } as const
    for (const form of nameForms(host))
      this.#add(form, {
        ...word,
        check: (text, at) => (standsForHost(text, at, form) ? { start: at, end: at + form.length } : null),
      })
  }

  #addSecret(given: string, name: string): void {
    if (this.#given.has(given)) return
    this.#given.add(given)
    for (const secret of plainForms(given)) {
      if (secret.length > MOST_LENGTH) continue
      if (!isDistinct(secret)) {
        if (name === 'password' && secret.length >= 4) this.#addWord(secret)
        continue
      }
      const word = { kind: 'secret', name, replacement: `[redacted: ${name}]` } as const
      this.#addWhole(secret, word, false)
      for (const form of [encodeURIComponent, escapedForJson, escapedForHtml])
        if (form(secret) !== secret) this.#addWhole(form(secret), word, false)
      if (secret.length < 6) continue
      const bytes = utf8(secret)
      const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      this.#addWhole(hex, word, true)
      this.#addWhole(hex.toUpperCase(), word, true)
      for (const core of base64Cores(bytes)) this.#addCore(core, word)
    }
  }

  /** Also where a line's end breaks it. */
  #addWhole(secret: string, word: Omit<KnownWord, 'check'>, isCoded: boolean): void {
    const first = secret.slice(0, Math.min(secret.length, 4))
    const isBound = secret.length < 8 && !isCoded
    const check: Check = (text, at) => {
      if (text.startsWith(secret, at)) {
        const end = at + secret.length
        return isBound && (isWord(text, at - 1) || isWord(text, end)) ? null : { start: at, end }
      }
      if (secret.length < 12) return null
      const broken = unwrapped(text, at, at)
      return broken?.text.startsWith(secret) ? { start: at, end: broken.placeOf(secret.length) } : null
    }
    if (this.#seen.has(`secret ${secret}`)) return
    this.#seen.add(`secret ${secret}`)
    if ([...first].every((each) => each.charCodeAt(0) < 128)) this.#put(first, { ...word, check })
  }

  /** A word that any text may hold: only behind a name of a password, whatever stands around. */
  #addWord(secret: string): void {
    const check: Check = (text, at) =>
      NAMED.test(text.slice(Math.max(0, at - 40), at)) && !isWord(text, at + secret.length)
        ? { start: at, end: at + secret.length }
        : null
    this.#add(secret, { kind: 'secret', name: 'password', replacement: '[redacted: password]', check })
  }

  /** The whole run of base64 that holds it. */
  #addCore(core: string, word: Omit<KnownWord, 'check'>): void {
    if (core.length < 8) return
    const check: Check = (text, at) => {
      let start = at
      let end = at + core.length
      while (start > 0 && at - start < 2000 && isBase64(text.charCodeAt(start - 1))) start--
      while (end < text.length && end - at < 8000 && isBase64(text.charCodeAt(end))) end++
      return { start, end }
    }
    this.#add(core, { ...word, name: 'secret in base64', replacement: '[redacted: secret in base64]', check })
  }
}

const NAMED =
  /(?:pass(?:word|wd|phrase|code)?|pwd|psk|pw|secret)\\{0,3}["']?\s{0,4}(?:[:=]{1,2}|is|=>|["'`])\s{0,4}\\{0,3}["'`]?$|\s-p\s?["']?$/i

function isWord(text: string, at: number): boolean {
  return /[A-Za-z0-9]/.test(text.charAt(at))
}

function isBase64(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 95 ||
    code === 61
  )
}

/** Mixed enough to be no word of a text: only then is it looked for everywhere. */
function isDistinct(secret: string): boolean {
  if (secret.length < 6 || new Set(secret).size < 5) return false
  const hasSigns = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9\s]/].filter((kind) => kind.test(secret)).length
  if (/^\d+$/.test(secret)) return false
  if (/\s/.test(secret)) return secret.length >= 12
  if (/^[A-Z]?[a-z]+$|^[A-Z]+$/.test(secret)) return secret.length >= 11 && !COMMON_LONG.test(secret)
  // names in code: `nodeId`, `MY_KEY`, `a.b`
  if (
    /^[a-z]+(?:[A-Z][a-z]+)+\d?$|^(?:[A-Z][a-z]+)+$|^[A-Z]+(?:_[A-Z0-9]+)+$|^\w+(?:\.[a-z]\w*)+$/.test(secret)
  )
    return secret.length >= 24
  // names of things: `my-app`, `shop_dev`
  if (/^[a-z]+(?:[-_.][a-z]+)*$/.test(secret)) return secret.length >= 16
  return hasSigns >= 2
}

const COMMON_LONG =
  /^(?:administrator|development|production|environment|application|authentication|authorization|configuration|placeholder|documentation)$/i

/** As it is written, and as it is meant. */
function plainForms(given: string): string[] {
  const forms = [given]
  if (/\\["\\/]|\\u[0-9a-f]{4}/i.test(given))
    forms.push(
      given
        .replace(/\\(["\\/])/g, '$1')
        .replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
  if (/%[0-9A-Fa-f]{2}/.test(given)) {
    try {
      forms.push(decodeURIComponent(given))
    } catch {
      // as it is
    }
  }
  return forms
}

function keyLines(key: string): string[] {
  return key
    .split(/\r?\n|\\n/)
    .slice(1, -1)
    .map((line) => line.trim())
    .filter((line) => line.length >= 40)
    .slice(1)
}

function escapedForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function escapedForHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** What base64 says of these bytes at each of the three places of a group, without what others decide. */
function base64Cores(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((phase) => {
    const padded = new Uint8Array(bytes.length + phase)
    padded.set(bytes, phase)
    const whole = btoa(String.fromCharCode(...padded)).replace(/=+$/, '')
    const bits = padded.length * 8
    return whole.slice(Math.ceil((phase * 8) / 6), Math.floor(bits / 6))
  })
}

/** As systems and people write it. */
function nameForms(name: string): string[] {
  const lower = name.toLowerCase()
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1)
  const forms = [name, lower, capital, name.toUpperCase()]
  return [
    ...new Set([
      ...forms,
      ...forms.map(encodeURIComponent),
      ...forms.map((form) => form.replaceAll(' ', '-')),
    ]),
  ]
}

const USER_FOLLOWS = /^(?:$|[/\\"'`\s:,;)\]}>&?#|<%*]|-(?=[\w])|@)/
const LISTED = /(?:^|\n|\\n)[dlcbps-][rwxsStT-]{9}[+@.]?\s{1,6}\d{1,6}\s{1,4}(?:[\w.-]{1,32}\s{1,8})?$/

/** A part of a path or slug, a login, an owner: not a word of a sentence. */
function standsForUser(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - 72), at)
  const after = text.slice(at + length, at + length + 2)
  if (/[A-Za-z0-9_]$/.test(before) && !/\\[nrt]$|%2F$|%5C$|%3D$/i.test(before)) return false
  if (/^[A-Za-z0-9_]/.test(after)) return false
  if (/(?:[/\\~]|%2F|%5C)$/i.test(before)) return USER_FOLLOWS.test(after)
  if (after.startsWith('@')) return /(?:^|[/\s"'`=(<[,:;]|\\n)$/.test(before)
  if (/(?:^|[^A-Za-z0-9])(?:home|Users|users)[-_]{1,2}$/.test(before)) return true
  if (/-$/.test(before)) return /(?:home|Users)-[\w.-]*-$/.test(before)
  if (
    /\b(?:USER|LOGNAME|USERNAME|SUDO_USER|user|owner|login|username|whoami|uid=\d+\(|gid=\d+\(|groups=\d+\()["']?\s{0,2}[:=(]{0,2}\s{0,2}["']?$/.test(
      before,
    )
  )
    return /\b(?:USER|LOGNAME|USERNAME|SUDO_USER)=["']?$|[:=(]\s?["']?$/.test(before)
  if (/\bchown\s(?:-\w+\s)?(?:[\w.-]+:)?$/.test(before)) return true
  return LISTED.test(before)
}

function standsForHost(text: string, at: number, host: string): boolean {
  const before = text.charAt(at - 1)
  const rest = text.slice(at + host.length, at + host.length + 16)
  if (/^[A-Za-z0-9_]/.test(rest) || /[A-Za-z0-9_.]/.test(before)) return false
  // a name that no sentence has
  if (/\d/.test(host) && /-/.test(host) && host.length >= 8) return true
  if (/^-/.test(rest) || before === '-') return false
  const isAddress = before === '@' || /(?:\/\/|\\\\)$/.test(text.slice(Math.max(0, at - 2), at))
  if (
    /(?:HOSTNAME|COMPUTERNAME|HOST|hostname)["']?\s?[:=]\s?["']?$/.test(text.slice(Math.max(0, at - 20), at))
  )
    return true
  return isAddress || /^(?::[0-9]{2,5}\b|\.(?:local|lan|home|internal|localdomain)\b)/.test(rest)
}

/** A path as it is, in JSON (backslashes doubled, and doubled again), with slashes, in an address, and as a slug. */
function spellings(home: string): string[] {
  const path = home.replace(/[/\\]+$/, '')
  if (path.length < 4) return []
  const slashed = path.replaceAll('\\', '/')
  const drive = /^([A-Za-z]):\/(.*)$/.exec(slashed)
  const forms = [
    path,
    path.replaceAll('\\', '\\\\'),
    path.replaceAll('\\', '\\\\\\\\'),
    slashed,
    encodeURI(slashed),
    encodeURIComponent(path),
    ...(drive === null
      ? []
      : [`/mnt/${drive[1]?.toLowerCase()}/${drive[2]}`, `/${drive[1]?.toLowerCase()}/${drive[2]}`]),
  ]
  const cased = drive === null ? forms : [...forms, ...forms.map((form) => form.toLowerCase())]
  return [...new Set(cased)]
}

/** What stands between two pieces of a text that was broken: a line's end, its continuation, a joining of two strings. */
const BREAK =
  /\\?\r?\n[ \t]{0,16}(?:[│|>+][ \t]?)?|["'][ \t]{0,4}[+.]?[ \t]{0,4}\\?\r?\n?[ \t]{0,40}[+.]?[ \t]{0,4}["']|[\u200b\u00ad\ufeff]/y
const RUN = /[A-Za-z0-9_.+/=~%$-]{1,400}/y
const MOST_BREAKS = 6
/** A shorter line was not broken by a terminal. */
const LEAST_WIDTH = 38
const MOST_WIDTH = 600

/**
 * What goes on at `at` beyond a break; null: it ends at `end` without one. A line's end is a break only where its line is as
 * long as any near it.
 */
export function unwrapped(
  text: string,
  at: number,
  end: number,
): { text: string; placeOf: (length: number) => number } | null {
  RUN.lastIndex = at
  const first = RUN.exec(text)?.[0] ?? ''
  const firstEnd = at + first.length
  if (firstEnd < end || !isBreakSign(text.charCodeAt(firstEnd))) return null
  let joined = first
  let from = firstEnd
  const places: [length: number, place: number][] = [[0, at]]
  for (let breaks = 0; breaks < MOST_BREAKS; breaks++) {
    BREAK.lastIndex = from
    const found = BREAK.exec(text)?.[0]
    if (found === undefined || found === '') break
    if (/\n/.test(found) && !/["'\\]/.test(found) && !fillsLine(text, from, from + found.length)) break
    RUN.lastIndex = from + found.length
    const next = RUN.exec(text)?.[0]
    if (next === undefined) break
    places.push([joined.length, from + found.length])
    joined += next
    from = from + found.length + next.length
  }
  if (places.length === 1) return null
  const placeOf = (length: number) => {
    const [before, place] = places.findLast(([start]) => start < length) ?? [0, at]
    return place + length - before
  }
  return { text: joined, placeOf }
}

function isBreakSign(code: number): boolean {
  return (
    code === 10 ||
    code === 13 ||
    code === 92 ||
    code === 34 ||
    code === 39 ||
    code === 0x200b ||
    code === 0xad
  )
}

/** The line that ends here is a terminal's width long: what follows is no longer, nor is what goes before. */
function fillsLine(text: string, end: number, nextStart: number): boolean {
  const before = text.slice(Math.max(0, end - 2 * MOST_WIDTH), end)
  const start = before.lastIndexOf('\n')
  const width = before.length - start - 1
  if (width < LEAST_WIDTH || width > MOST_WIDTH) return false
  const after = text.slice(nextStart, nextStart + MOST_WIDTH + 1)
  const nextEnd = after.indexOf('\n')
  if ((nextEnd === -1 ? after.length : nextEnd) > width + 2) return false
  return start < 1 || start - 1 - before.lastIndexOf('\n', start - 1) <= width
}

/** Literals by how they begin, so that one pass over a text looks for all of them. Each is two characters of ASCII at least. */
export class WordTable<Found> {
  /** By the first two characters: for each that may be the third a bit, which it shares with others. */
  readonly #thirds = new Int32Array(1 << 14)
  /** By the first two and that bit: the same of the fourth. */
  readonly #fourths = new Int32Array(1 << 19)
  /** By the first two and that bit. */
  readonly #words = new Map<number, { literal: string; found: Found }[]>()

  static of<Found>(words: readonly (readonly [literal: string, found: Found])[]): WordTable<Found> {
    const table = new WordTable<Found>()
    for (const [literal, found] of words) table.add(literal, found)
    return table
  }

  add(literal: string, found: Found): void {
    const pair = (literal.charCodeAt(0) << 7) | literal.charCodeAt(1)
    const bits = literal.length > 2 ? [literal.charCodeAt(2) & 31] : ALL_BITS
    for (const bit of bits) {
      const key = (pair << 5) | bit
      this.#thirds[pair] = (this.#thirds[pair] ?? 0) | (1 << bit)
      const fourth = literal.length > 3 ? 1 << (literal.charCodeAt(3) & 31) : -1
      this.#fourths[key] = (this.#fourths[key] ?? 0) | fourth
      const words = this.#words.get(key)
      if (words === undefined) this.#words.set(key, [{ literal, found }])
      else words.push({ literal, found })
    }
  }

  /** Hands over each place where a literal begins. */
  each(text: string, visit: (found: Found, at: number) => void): void {
    const thirds = this.#thirds
    const fourths = this.#fourths
    const end = text.length - 1
    let pair = text.charCodeAt(0)
    for (let at = 0; at < end; at++) {
      // wide characters fall on pairs of others: the literal itself decides
      pair = ((pair << 7) | text.charCodeAt(at + 1)) & PAIRS
      const bits = thirds[pair] as number
      if (bits !== 0) {
        const bit = text.charCodeAt(at + 2) & 31
        if (((bits >>> bit) & 1) === 1) {
          const key = (pair << 5) | bit
          if ((((fourths[key] as number) >>> (text.charCodeAt(at + 3) & 31)) & 1) === 1)
            this.#visit(text, at, key, visit)
        }
      }
    }
  }

  #visit(text: string, at: number, key: number, visit: (found: Found, at: number) => void): void {
    for (const { literal, found } of this.#words.get(key) ?? [])
      if (text.startsWith(literal, at)) visit(found, at)
  }
}

const PAIRS = (1 << 14) - 1
const ALL_BITS = Array.from({ length: 32 }, (_, bit) => bit)
