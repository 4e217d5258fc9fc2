import type { Span } from './change.ts'
import { isPlaceholder } from './placeholder.ts'

const PASSWORD = 'pass(?:word|wd|phrase)|pwd'
const SECRET =
  'secret(?:[_-]?(?:access)?[_-]?key)?|' +
  '(?:api|access|private|account|auth|encryption|service|master|license)[_-]?key|token|credentials?'

/**
 * `DB_PASSWORD=`, `"apiKey": "`, `client_secret => '`, also with quotes that are escaped. All bounded. Looks for the
 * sign and back from there for the name: any third letter could begin one.
 */
const ASSIGNMENT = new RegExp(
  `(?=[:=])(?<=(?:(${PASSWORD})|${SECRET})(?:\\\\{0,3}["'\`])?[ \\t]{0,8})(?::=|=>|={1,3}|:)[ \\t]{0,8}(\\\\{0,3}["'\`])?`,
  'gi',
)
const QUOTED = /[^"'`\\\r\n]{4,400}/y
const BARE = /[^\s"'`\\,;<>{}()[\]&|]{6,400}/y

const HEADER =
  /(?:authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:bearer|basic|token|negotiate|apikey)|\bbearer)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,4000})/gi
const COOKIE = /\bcookie["']?[ \t]{0,4}:[ \t]{0,4}["']?([^\s"'`;=]{1,100}=[^\r\n"'`]{8,4000})/gi
const OPTION = /-(?:password|passwd|token|api-key|secret)[ \t=]{1,4}["']?([^\s"'`]{6,200})/gi
/** One dash or two, behind a blank. */
const BEFORE_OPTION = /(?:^|\s)-?$/

/** Secrets that are told by the name they stand under. */
export function findAssignments(text: string): Span[] {
  const spans: Span[] = []
  const add = (name: string, start: number, length: number) =>
    spans.push({
      kind: 'secret',
      name,
      start,
      end: start + length,
      replacement: `[redacted: ${name}]`,
    })
  for (const { index, 0: found, 1: password, 2: quote } of text.matchAll(ASSIGNMENT)) {
    const form = quote === undefined ? BARE : QUOTED
    form.lastIndex = index + found.length
    const value = form.exec(text)?.[0]
    if (value === undefined) continue
    const isSecret =
      password === undefined ? looksRandom(value) : looksLikePassword(value, quote !== undefined)
    if (isSecret)
      add(
        password === undefined ? 'value named as a secret' : 'password',
        form.lastIndex - value.length,
        value.length,
      )
  }
  const headers = [
    ['authorization header', HEADER, looksRandom],
    ['cookie', COOKIE, (value: string) => !isPlaceholder(value)],
    ['value named as a secret', OPTION, (value: string) => looksLikePassword(value, false)],
  ] as const
  for (const [name, form, isSecret] of headers) {
    for (const { index, 0: found, 1: value = '' } of text.matchAll(form)) {
      if (form === OPTION && !BEFORE_OPTION.test(text.slice(Math.max(0, index - 2), index))) continue
      if (isSecret(value)) add(name, index + found.length - value.length, value.length)
    }
  }
  return spans
}

const NAME = new RegExp(`(?:(${PASSWORD})|${SECRET})$`, 'i')

/** A text under a name in JSON: `{ "password": "…" }`. */
export function isSecretAssignment(name: string, value: string): boolean {
  const found = value.length > 4000 ? null : NAME.exec(name.slice(-60))
  if (found === null) return false
  return found[1] === undefined ? looksRandom(value) : value.length >= 4 && looksLikePassword(value, true)
}

/** Letters and digits, mixed as no word or number is. */
function looksRandom(value: string): boolean {
  if (value.length < 10 || isPlaceholder(value) || isCode(value) || /\s/.test(value)) return false
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.8
}

const NO_PASSWORD =
  /^(?:string|text|required|optional|password|passwort|secret|hidden|undefined|null|none|true|false|number|boolean|input|unknown|empty|missing|incorrect|invalid|forgotten|wrong)\b/i

/** What a person may have chosen: in quotes any word that says nothing else, else something that is no plain word. */
function looksLikePassword(value: string, isQuoted: boolean): boolean {
  if (
    new Set(value).size < 4 ||
    /\*{3}|x{6}|\.{3}|…|change.?me|your|example|placeholder|redacted/i.test(value)
  )
    return false
  if (NO_PASSWORD.test(value) || isCode(value)) return false
  if (isQuoted) return !/\s\S+\s/.test(value)
  return /[0-9!#%^*+~]/.test(value) && /[A-Za-z]/.test(value)
}

/** A name or call that gives the value, not the value. */
function isCode(value: string): boolean {
  return (
    /^[$%{<[(#]|^(?:process|os|env|config|settings|self|this|req|request|props|options|user|secrets|vars|data|args|import)[.[]/i.test(
      value,
    ) ||
    /^[A-Za-z_]{1,60}(?:\.[A-Za-z_]{1,60}){1,8}[;)]?$/.test(value) ||
    /^(?:\/|\.\/|~\/|https?:)/.test(value) ||
    /\(|\$\{/.test(value.slice(0, 200))
  )
}

/** Bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
