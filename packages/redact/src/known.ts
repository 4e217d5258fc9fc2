import type { ChangeKind, FindAt, OwnNames, Span } from './change.ts'
import { isCommonHost, isCommonUser } from './find-person.ts'
import { isIdentifier, isWords } from './judge.ts'
import { unwrapped } from './unwrapped.ts'
import { WordTable } from './word-table.ts'

/** Further words are not remembered: a text full of secrets is of no use anyway. */
const MOST_WORDS = 5000
const MOST_LENGTH = 4000
/** Up to this many, searching one by one is faster. */
const FEW_WORDS = 24
const SHORT_TEXT = 2000
const WORTH_A_TABLE = 500_000

type Check = (text: string, at: number) => Pick<Span, 'start' | 'end'> | null

/**
 * Known names of the user and known secrets: those passed to the redactor, and those found once under a name, after a flag or in a path.
 * All are redacted everywhere.
 */
export class Known {
  readonly #base: Known | null
  readonly #words: [literal: string, find: FindAt][] = []
  /** Of all words; built on first use. */
  #table: WordTable<FindAt> | null = null
  #tableOfAll: WordTable<FindAt> | null = null
  #readLength = 0
  readonly #seen = new Set<string>()

  /** @param base what was known before; not modified */
  constructor({ homes = [], userNames = [], hostNames = [] }: OwnNames = {}, base: Known | null = null) {
    this.#base = base
    for (const home of homes) this.#addHome(home)
    for (const user of userNames) if (user.length > 1 && !/^root$/i.test(user)) this.#addUser(user)
    for (const host of hostNames) if (host.length > 1 && !/^localhost$/i.test(host)) this.#addHost(host)
  }

  /** Remembers what a span reveals beyond its own location. */
  learn(text: string, { kind, name, start, end, learned }: Span): void {
    if (this.#seen.size > MOST_WORDS) return
    if (kind === 'secret') {
      const found = text.slice(start, end)
      if (name !== 'cookie')
        for (const secret of name === 'private key' ? keyLines(found) : [found]) this.#addSecret(secret, name)
    } else if (learned !== undefined && kind === 'host') {
      if (!isCommonHost(learned)) this.#addHost(learned)
    } else if (learned !== undefined && !isCommonUser(learned)) this.#addUser(learned)
  }

  /** Adds all occurrences in a text. */
  find(text: string, spans: Span[]): void {
    const words = this.#allWords()
    if (words.length < FEW_WORDS && text.length < SHORT_TEXT) {
      for (const [literal, find] of words)
        for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length))
          find(text, at, spans)
    } else {
      this.#table ??= new WordTable(words)
      this.#table.each(text, (find, at) => find(text, at, spans))
    }
  }

  /**
   * A table of its words and the others, so that one pass finds all; null if too little has been read to be worth a table.
   *
   * @param length length of the text that is read next
   */
  tableWith(others: readonly [literal: string, find: FindAt][], length: number): WordTable<FindAt> | null {
    this.#readLength += length
    if (this.#readLength < WORTH_A_TABLE) return null
    this.#tableOfAll ??= new WordTable([...others, ...this.#allWords()])
    return this.#tableOfAll
  }

  #allWords(): [literal: string, find: FindAt][] {
    return this.#base === null ? this.#words : [...this.#base.#words, ...this.#words]
  }

  /** @param literal where `check` is called: the whole word, or its beginning */
  #add(
    word: string,
    literal: string,
    kind: ChangeKind,
    name: string,
    replacement: string,
    check: Check,
  ): void {
    const isNew = this.#seen.size !== this.#seen.add(`${kind} ${word}`).size
    if (!isNew || word.length < 2 || !/^[\0-\x7f]{2}/.test(literal)) return
    this.#words.push([
      literal,
      (text, at, spans) => {
        const place = check(text, at)
        if (place !== null) spans.push({ kind, name, replacement, ...place })
      },
    ])
    this.#table = null
    this.#tableOfAll = null
  }

  #addHome(home: string): void {
    for (const path of pathForms(home))
      this.#add(path, path, 'home', 'home folder', '~', (text, start) => {
        const end = start + path.length
        const isPart = /[A-Za-z0-9_-]/.test(text.charAt(end)) || /[A-Za-z0-9_.]/.test(text.charAt(start - 1))
        return isPart ? null : { start, end }
      })
  }

  #addUser(user: string): void {
    for (const form of nameForms(user))
      this.#add(form, form, 'user', 'user name', '[user]', (text, start) =>
        isUser(text, start, start + form.length) ? { start, end: start + form.length } : null,
      )
  }

  #addHost(host: string): void {
    for (const form of nameForms(host))
      this.#add(form, form, 'host', 'host name', '[host]', (text, start) =>
        isHost(text, start, form) ? { start, end: start + form.length } : null,
      )
  }

  #addSecret(secret: string, name: string): void {
    if (secret.length < 4 || secret.length > MOST_LENGTH || this.#seen.has(`secret ${secret}`)) return
    const add = (literal: string, check: Check) =>
      this.#add(secret, literal, 'secret', name, `[redacted: ${name}]`, check)
    if (!isDistinct(secret)) {
      // a word that can appear in any text
      if (name === 'password')
        add(secret, (text, start) =>
          isNamed(text, start, start + secret.length) ? { start, end: start + secret.length } : null,
        )
      return
    }
    const isBound = secret.length < 8
    add(secret.slice(0, 4), (text, start) => {
      const end = start + secret.length
      if (text.startsWith(secret, start))
        return isBound && (isLetter(text, start - 1) || isLetter(text, end)) ? null : { start, end }
      const broken = secret.length < 12 ? null : unwrapped(text, start, start)
      return broken?.text.startsWith(secret) ? { start, end: broken.placeOf(secret.length) } : null
    })
  }
}

function isLetter(text: string, at: number): boolean {
  return /[A-Za-z0-9]/.test(text.charAt(at))
}

const NAME_BEFORE =
  /(?:pass(?:word|wd|phrase|code)?|pwd|psk|pw|secret)["']?\s{0,4}(?:[:=]{1,2}|is|=>|["'`])\s{0,4}["'`]?$|\s-p\s?["']?$/i

function isNamed(text: string, start: number, end: number): boolean {
  return NAME_BEFORE.test(text.slice(Math.max(0, start - 40), start)) && !isLetter(text, end)
}

const COMMON =
  /^(?:administrator|development|production|environment|application|authentication|authorization|configuration|placeholder|documentation)$/i

/** Too mixed to be an ordinary word; only then is it searched for everywhere. */
function isDistinct(secret: string): boolean {
  if (secret.length < 6 || new Set(secret).size < 5 || /^\d+$/.test(secret)) return false
  if (/\s/.test(secret)) return secret.length >= 12
  if (/^[A-Z]?[a-z]+$|^[A-Z]+$/.test(secret)) return secret.length >= 11 && !COMMON.test(secret)
  // identifiers, members, names of things
  if (isIdentifier(secret) || /^\w+(?:\.[a-z]\w*)+$/.test(secret)) return secret.length >= 24
  return !isWords(secret) || secret.length >= 16
}

/** A key can appear elsewhere without its markers. Many keys share the same first line. */
function keyLines(key: string): string[] {
  return key
    .split(/\r?\n|\\n/)
    .slice(2, -1)
    .map((line) => line.trim())
    .filter((line) => line.length >= 40)
}

/** As systems and people spell it. */
function nameForms(name: string): Set<string> {
  const lower = name.toLowerCase()
  const forms = [name, lower, lower.charAt(0).toUpperCase() + lower.slice(1), name.toUpperCase()]
  return new Set([...forms, ...forms.map((form) => form.replaceAll(' ', '-'))])
}

/** A path as it is, with slashes, and with the drive as other systems mount it. Escaped and encoded paths are decoded before the search. */
function pathForms(home: string): Set<string> {
  const path = home.replace(/[/\\]+$/, '')
  if (path.length < 4) return new Set()
  const slashed = path.replaceAll('\\', '/')
  const [, drive, rest] = /^([A-Za-z]):\/(.*)$/.exec(slashed) ?? []
  if (drive === undefined) return new Set([path])
  const letter = drive.toLowerCase()
  const forms = [path, slashed, `/mnt/${letter}/${rest}`, `/${letter}/${rest}`]
  return new Set([...forms, ...forms.map((form) => form.toLowerCase())])
}

const LISTED = /(?:^|\n)[dlcbps-][rwxsStT-]{9}[+@.]?\s{1,6}\d{1,6}\s{1,4}(?:[\w.-]{1,32}\s{1,8})?$/
const ASSIGNED =
  /\b(?:USER|LOGNAME|USERNAME|SUDO_USER)=["']?$|\b(?:USER|LOGNAME|USERNAME|SUDO_USER|user|owner|login|username|whoami|[ug]id=\d+|groups=\d+)["']?\s{0,2}[:=(]\s{0,2}["']?$|\bwhoami[^\n]{0,20}\n$|\bchown\s(?:-\w+\s)?(?:[\w.-]+:)?$/

/** Part of a path or slug, a login, an owner: not a word in a sentence. */
function isUser(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 72), start)
  const after = text.slice(end, end + 2)
  if (/[A-Za-z0-9_]$/.test(before) || /^[A-Za-z0-9_]/.test(after)) return false
  if (/[/\\~]$/.test(before)) return /^(?:$|[/\\"'`\s:,;)\]}>&?#|<%*@]|-\w)/.test(after)
  if (after.startsWith('@')) return /(?:^|[/\s"'`=(<[,:;])$/.test(before)
  // in a slug, and what follows the name there
  if (before.endsWith('-')) return /(?:^|[^A-Za-z0-9])(?:home|[Uu]sers)-[\w.-]*$/.test(before)
  return ASSIGNED.test(before) || LISTED.test(before)
}

/** Where a computer is named: in an address, after a user, with a port or with a home-network suffix. */
function isHost(text: string, start: number, host: string): boolean {
  const before = text.slice(Math.max(0, start - 20), start)
  const rest = text.slice(start + host.length, start + host.length + 16)
  if (/^[A-Za-z0-9_]/.test(rest) || /[A-Za-z0-9_.]$/.test(before)) return false
  // a name that does not occur in prose
  if (/\d/.test(host) && host.includes('-') && host.length >= 8) return true
  if (rest.startsWith('-') || before.endsWith('-')) return false
  return (
    /(?:@|\/\/|\\\\|(?:HOSTNAME|COMPUTERNAME|HOST|hostname)["']?\s?[:=]\s?["']?)$/.test(before) ||
    /^(?::[0-9]{2,5}\b|\.(?:local|lan|home|internal|localdomain)\b)/.test(rest)
  )
}
