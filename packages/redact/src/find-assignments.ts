import type { Span } from './changes.ts'
import {
  isPlaceholder,
  looksLikePassword,
  looksRandom,
  readValue,
  secretSpan,
  type Value,
} from './changes.ts'
import { type NameKind, nameBefore, nameKind, widerName } from './find-person.ts'

/** Secrets that the name tells which they stand under: `DB_PASSWORD=`, `"apiKey": "`, `<password>`, `Cookie:`. */
export function findAssignments(text: string, spans: Span[]): void {
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) addAt(text, at, '=', spans)
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) addAt(text, at, ':', spans)
  for (const sign of ['%3D', '%3d', '%3A', '%3a', '%22%3A'])
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 3))
      addEncoded(text, at, sign, spans)
  for (let at = text.indexOf('</'); at !== -1; at = text.indexOf('</', at + 2)) addElement(text, at, spans)
  for (const quote of ['"', "'"]) {
    const call = `(${quote}`
    for (let at = text.indexOf(call); at !== -1; at = text.indexOf(call, at + 2)) addArgument(text, at, spans)
    const pair = `${quote},`
    for (let at = text.indexOf(pair); at !== -1; at = text.indexOf(pair, at + 2)) addPair(text, at, spans)
  }
}

/** Between the sign and the value. */
const GAP = /(?:[:=]{0,2}>?|:)[ \t]{0,8}/y
/** The value is on the lines below. */
const BLOCK = /[|>][-+0-9]{0,2}[ \t]{0,4}(?:\r?\n|\\n)[ \t]{1,40}/y
const MOST_HEAD = 110
/** All that may stand before a name that begins its line. */
const LINE_HEAD =
  /^[ \t]{0,60}(?:(?:[-+>#*|][ \t]{1,4}|[-+](?=[A-Za-z_])|\/\/[ \t]{0,4}|export[ \t]{1,4}|set[ \t]{1,4}|SET[ \t]{1,4}|ENV[ \t]{1,4}|ARG[ \t]{1,4}|declare -x[ \t]{1,4}|\$env:|Environment="?|-e[ \t]{1,4}|\d{1,6}[:|\t ][ \t]{0,8})){0,3}["']?(?:[\w-]{1,40}[.:/]){0,6}$/

/** The line that ends at `at`, as far as it needs to be known; null: it is longer. */
function lineBefore(text: string, at: number): string | null {
  const from = Math.max(0, at - MOST_HEAD)
  const before = text.slice(from, at)
  const start = Math.max(
    before.lastIndexOf('\n') + 1,
    before.lastIndexOf('\\n') + 2,
    before.lastIndexOf('\r') + 1,
  )
  if (start < 2 && !/^[\r\n]/.test(before) && from > 0) return null
  return before.slice(start === 1 && !/^[\r\n]/.test(before) ? 0 : start)
}

function addAt(text: string, sign: number, character: string, spans: Span[]): void {
  const next = text.charCodeAt(sign + 1)
  // addresses, and comparisons of which the second sign follows
  if (character === ':' && next === 47 && text.charCodeAt(sign + 2) === 47) return
  const before = text.charCodeAt(sign - 1)
  if (character === '=' && (before === 61 || before === 33 || before === 60)) return
  const found = nameBefore(text, before === 58 ? sign - 1 : sign)
  if (found.name === '') return
  const { start, isQuoted: isNameQuoted } = found
  // a namespace, or the kind of a resource: no name of a value
  if (text.charAt(start - 1) === ':' && (character === ':' || text.charAt(start - 2) === ':')) return
  let { name } = found
  let kind = nameKind(name)
  if (kind === null || kind === 'query') {
    name = widerName(text, name, start)
    kind = nameKind(name) ?? kind
  }
  if (kind === null) {
    if (name === 'value' || name === 'Value' || name === 'default') addNamedValue(text, sign, start, spans)
    if (character !== '=' || (name !== 'String' && name !== 'string' && name !== 'str')) return
    // the name before its type: `password: String = "…"`
    const colon = /:\s{0,4}&?$/.exec(text.slice(Math.max(0, start - 6), start))
    name = colon === null ? '' : nameBefore(text, start - colon[0].length).name
    kind = nameKind(name)
    if (kind !== 'password' && kind !== 'secret') return
  }
  GAP.lastIndex = sign
  GAP.exec(text)
  let at = Math.max(GAP.lastIndex, sign + 1)
  BLOCK.lastIndex = at
  if (BLOCK.test(text)) at = BLOCK.lastIndex
  const head = text.slice(Math.max(0, start - 12), start)
  addValue(text, { name, kind, at, sign, start, head, character, isNameQuoted }, spans)
}

/** `Password={…}`, as drivers want what holds signs. */
const BRACED = /\{([^\s{}"':]{4,100})\}/y

interface Place {
  name: string
  kind: NameKind
  /** Where the value begins, and the sign before it. */
  at: number
  sign: number
  /** Where the name begins, and what stands before it. */
  start: number
  head: string
  character: string
  isNameQuoted: boolean
}

function addValue(text: string, place: Place, spans: Span[]): void {
  const { name, kind, at, sign, start, head, character, isNameQuoted } = place
  if (kind === 'authorization') {
    addAuthorization(text, at, spans)
    return
  }
  if (kind === 'cookie') {
    addCookie(text, at, spans)
    return
  }
  const isQuery = /[?&;]$|%26$|&amp;$/.test(head)
  if (kind === 'query' && !/[?&]$|%26$|%3F$|&amp;$/.test(head)) return
  if (kind === 'password' && character === '=' && at === sign + 1) {
    BRACED.lastIndex = at
    const braced = BRACED.exec(text)?.[1]
    if (braced !== undefined && looksLikePassword(braced, { isQuoted: false, isAlone: false }))
      spans.push(secretSpan('password', at + 1, braced.length))
  }
  const isLineHead = !isQuery && !isNameQuoted && LINE_HEAD.test(lineBefore(text, start) ?? 'in a line')
  const isShell = character === '=' && at === sign + 1 && /^[A-Z][A-Z0-9_]*$/.test(name)
  const value = readValue(text, at, isLineHead || (isShell && /(?:^|\s)(?:-e\s+|--env\s+)?$/.test(head)))
  if (value === null || isTyped(text, value)) return
  const isAlone = isShell || (isLineHead && endsLine(text, value))
  if (kind === 'password') {
    if (character === ':' && at === sign + 1 && !value.isQuoted && !isNameQuoted) return
    if (looksLikePassword(value.text, { isQuoted: value.isQuoted, isAlone }))
      spans.push(secretSpan('password', value.start, value.text.length))
    else if (looksRandom(value.text, value.isQuoted))
      spans.push(secretSpan('password', value.start, value.text.length))
    return
  }
  const least = isShell || isQuery ? 8 : 10
  if (
    looksRandom(value.text, value.isQuoted, least) ||
    isChosenSecret(name, value, isShell) ||
    isLogin(name, value.text)
  )
    spans.push(secretSpan('value named as a secret', value.start, value.text.length))
}

/** Nothing but a comment follows on the line, and a sign that code needs does not end it. */
function endsLine(text: string, { start, text: value }: Value): boolean {
  const rest = text.slice(start + value.length, start + value.length + 12)
  return /^["']?(?:[ \t]*(?:$|[\r\n"]|\\[nr])|[ \t]+(?:#|\/\/|;))/.test(rest)
}

/** `password: string | null`, `password: Schema.optional`. */
function isTyped(text: string, { start, text: value, isQuoted }: Value): boolean {
  if (isQuoted) return false
  const rest = text.slice(start + value.length, start + value.length + 3)
  return /^\s?[|([<{]|^\??\.|^\?/.test(rest)
}

/** `JWT_SECRET=keyboard cat`: a secret that a person chose. */
function isChosenSecret(name: string, { text, isQuoted }: Value, isShell: boolean): boolean {
  if (!/secret(?:_?key)?$/i.test(name)) return false
  const looksChosen = looksLikePassword(text, { isQuoted, isAlone: isShell })
  return looksChosen && (isShell || (isQuoted && /[\s0-9!#%^*+~@$?]/.test(text)))
}

/** `"auth": "dXNlcjpwYXNz"`: a user and a password in base64. */
function isLogin(name: string, value: string): boolean {
  if (!/auth$|credentials?$/i.test(name) || !/^[A-Za-z0-9+/_-]{8,400}={0,2}$/.test(value)) return false
  return /^[\x20-\x7e]{1,100}:[\x20-\x7e]{2,300}$/.test(decodeBase64(value))
}

export function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
  } catch {
    return ''
  }
}

const SCHEME =
  /["'`\\]{0,8}(?:(?:(?:bearer|basic|token|negotiate|ntlm|apikey|api-key|key|digest|hawk|ssws|sso-key|genie[kK]ey|hmac|signature|oauth|mac|dpop|aws4-hmac-sha256|aws|sharedkey|sharedkeylite|nostr|x-api-key|jwt|bot|client-id|user)[ \t:=]{1,4}){1,2})?/iy
const REST = /[^\r\n"'`\\]{6,4000}/y

/** Behind a scheme all that follows on the line: a token, or fields of which some are secret. */
function addAuthorization(text: string, from: number, spans: Span[]): void {
  SCHEME.lastIndex = from
  SCHEME.exec(text)
  const start = Math.max(from, SCHEME.lastIndex)
  const hasScheme = /[A-Za-z]/.test(text.slice(from, start))
  const isFields = /digest|hmac|hawk|signature|oauth|mac|aws/i.test(text.slice(from, start))
  if (isFields) {
    addFields(text, start, spans)
    return
  }
  REST.lastIndex = start
  const [first = ''] = (REST.exec(text)?.[0] ?? '').split(/[\s,;)}\]<>]/, 1)
  const isSecret =
    looksRandom(first, hasScheme, hasScheme ? 8 : 12) ||
    (hasScheme &&
      /^[\x20-\x7e]{1,100}:[\x20-\x7e]{2,300}$/.test(decodeBase64(first)) &&
      !isPlaceholder(first))
  if (isSecret) spans.push(secretSpan('authorization header', start, first.length))
}

const FIELD_LINE = /(?:[^\r\n"'`\\]|\\{0,7}"){8,4000}/y
const FIELD =
  /(?:response|signature|mac|nonce|cnonce|credential|oauth_signature|oauth_token|opaque)=\\{0,7}"?([^\s",\\]{8,2000})/gi

function addFields(text: string, from: number, spans: Span[]): void {
  FIELD_LINE.lastIndex = from
  const line = FIELD_LINE.exec(text)?.[0] ?? ''
  let hasField = false
  for (const { index, 0: found, 1: value = '' } of line.matchAll(FIELD)) {
    if (!looksRandom(value, true, 8)) continue
    hasField = true
    spans.push(secretSpan('authorization header', from + index + found.length - value.length, value.length))
  }
  const [first = ''] = line.split(/[\s,;"]/, 1)
  // AWS AKID:signature
  if (!hasField && looksRandom(first, true, 16))
    spans.push(secretSpan('authorization header', from, first.length))
}

const COOKIES = /["'`\\]{0,8}([^\s"'`;=\\]{1,100}=[^\r\n"'`\\]{8,2000})/y

function addCookie(text: string, from: number, spans: Span[]): void {
  COOKIES.lastIndex = from
  const found = COOKIES.exec(text)
  const value = found?.[1]
  if (found == null || value === undefined || isPlaceholder(value)) return
  if (!/=[^\s;]{8}/.test(value) || /\(|=>|===?\s|\$\{|[<>]/.test(value.slice(0, 300))) return
  spans.push(secretSpan('cookie', from + found[0].length - value.length, value.length))
}

const NAMED =
  /(?:name|key|Name|Key|KEY|NAME|id)\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?([\w.-]{2,64})\\{0,7}["']?(?:,|\s|\\n|\/?>|\}){0,60}\\{0,7}["']?$/

/** `variable "db_password" { default = "…" }`, `"db_password": { "value": "…" }`. */
const VARIABLE = /\b(?:variable|output)\s{1,4}"([\w-]{2,64})"\s{0,4}\{[^{}]{0,100}$/
const HOLDER = /["']([\w.-]{2,64})["']\s{0,4}:\s{0,4}\{\s{0,60}["']?$/

/** `name: DB_PASSWORD` and `value: …` below it, also in JSON and XML. */
function addNamedValue(text: string, sign: number, start: number, spans: Span[]): void {
  const before = text.slice(Math.max(0, start - 160), start)
  const name = NAMED.exec(before)?.[1] ?? VARIABLE.exec(before)?.[1] ?? HOLDER.exec(before)?.[1]
  const kind = name === undefined ? null : nameKind(name)
  if (name === undefined || (kind !== 'password' && kind !== 'secret')) return
  GAP.lastIndex = sign
  GAP.exec(text)
  const value = readValue(text, Math.max(sign + 1, GAP.lastIndex), false)
  if (value === null) return
  const isAlone = /^[A-Z][A-Z0-9_]*$/.test(name)
  const isSecret =
    kind === 'password'
      ? looksLikePassword(value.text, { isQuoted: value.isQuoted, isAlone })
      : looksRandom(value.text, value.isQuoted, 8) || isChosenSecret(name, value, isAlone)
  if (isSecret)
    spans.push(
      secretSpan(
        kind === 'password' ? 'password' : 'value named as a secret',
        value.start,
        value.text.length,
      ),
    )
}

/** In a query or a text that was encoded once more: `token%3Dabc`, `%22password%22%3A%22abc%22`. */
function addEncoded(text: string, at: number, sign: string, spans: Span[]): void {
  const before = text.slice(Math.max(0, at - 70), at).replace(/%22$/, '')
  const name = /([A-Za-z_][A-Za-z0-9_.-]{1,60})$/.exec(before.replace(/^.*%[0-9A-Fa-f]{2}/s, ''))?.[1]
  const kind = name === undefined ? null : nameKind(name)
  if (kind === null) return
  ENCODED.lastIndex = at + sign.length
  const found = ENCODED.exec(text)
  const value = found?.[1]
  if (found == null || value === undefined) return
  const isSecret =
    kind === 'password'
      ? looksLikePassword(value, { isQuoted: true, isAlone: false })
      : looksRandom(value, true, 8)
  if (isSecret)
    spans.push(
      secretSpan(
        kind === 'password' ? 'password' : 'value named as a secret',
        at + sign.length + found[0].length - value.length,
        value.length,
      ),
    )
}

const ENCODED =
  /(?:%20|%22|%27|\+){0,2}((?:[A-Za-z0-9._~!*()'-]|%(?!26|22|2C|7D|0A|27|20|5C|3D|3A)[0-9A-Fa-f]{2}){4,400})/y

/** `<password>…</password>`, and `<key>Password</key><string>…</string>`. */
function addElement(text: string, close: number, spans: Span[]): void {
  const nameStart = close + 2
  NAME_OF_ELEMENT.lastIndex = nameStart
  const tag = NAME_OF_ELEMENT.exec(text)?.[1]
  if (tag === undefined) return
  const isValue = /^(?:string|value|property|entry|param|item|setting|add|option|field|var|env)$/i.test(tag)
  const kind = isValue ? null : nameKind(tag)
  if (!isValue && kind !== 'password' && kind !== 'secret') return
  const from = Math.max(0, close - 2000)
  const open = text.slice(from, close).lastIndexOf('>')
  if (open === -1 || from + open === close - 1) return
  const start = from + open + 1
  const value = text.slice(start, close).trim()
  const before = text.slice(Math.max(0, start - 120), start)
  const asked = isValue
    ? nameKind(
        SAID_NAME.exec(before)
          ?.slice(1)
          .find((name) => name !== undefined) ?? '',
      )
    : kind
  if (asked !== 'password' && asked !== 'secret') return
  if (
    !isValue &&
    !new RegExp(`<(?:[\\w-]{1,20}:)?${tag.replaceAll('.', '\\.')}(?:\\s[^<>]{0,90})?>$`).test(before)
  )
    return
  const isSecret =
    asked === 'password'
      ? looksLikePassword(value, { isQuoted: true, isAlone: false })
      : looksRandom(value, true, 8)
  if (isEncrypted(value) || (isSecret && !/^[{]/.test(value)))
    spans.push(
      secretSpan(
        asked === 'password' ? 'password' : 'value named as a secret',
        text.indexOf(value, start),
        value.length,
      ),
    )
}

/** As Maven keeps it. */
function isEncrypted(value: string): boolean {
  return /^\{[A-Za-z0-9+/=]{20,200}\}$/.test(value)
}

/** In the element before, or in an attribute of its own. */
const SAID_NAME =
  />\s{0,4}([\w .-]{2,64})\s{0,4}<\/(?:key|name)>\s{0,80}<(?:string|value)>$|<\w{2,20}\s(?:[^<>]{0,40}\s)?(?:name|key|id)="([\w .-]{2,64})"[^<>]{0,20}>$/i
const NAME_OF_ELEMENT = /(?:[\w-]{1,20}:)?([A-Za-z][\w.-]{1,60})>/y

/** `setPassword("…")`, `.password('…')`, `PASSWORD('…')`. */
function addArgument(text: string, at: number, spans: Span[]): void {
  const { name } = nameBefore(text, at)
  if (
    !/^(?:\w+\.)*(?:with|set|add|basic)?_?(?:[A-Za-z]{1,20}_)?(?:password|passwd|passphrase|apikey|api_key|secretkey|accesstoken|authtoken|bearerauth|secret|token)$/i.test(
      name,
    )
  )
    return
  const kind = nameKind(name)
  if (kind !== 'password' && kind !== 'secret') return
  const value = readValue(text, at + 1, false)
  if (value === null || !/^\s*[,)]/.test(text.slice(value.start + value.text.length).slice(1, 6))) return
  const isSecret =
    kind === 'password'
      ? looksLikePassword(value.text, { isQuoted: true, isAlone: false }) && /[^a-z]/.test(value.text)
      : looksRandom(value.text, true, 12)
  if (isSecret)
    spans.push(
      secretSpan(
        kind === 'password' ? 'password' : 'value named as a secret',
        value.start,
        value.text.length,
      ),
    )
}

/** `define('DB_PASSWORD', '…')`, `setRequestHeader("X-Api-Key", "…")`, `["--token", "…"]`. */
function addPair(text: string, at: number, spans: Span[]): void {
  const { name, start, isQuoted } = nameBefore(text, at + 1)
  if (!isQuoted || !/["']/.test(text.charAt(start - 1))) return
  const kind = nameKind(name)
  if (kind === null || kind === 'query') return
  let from = at + 2
  while (/\s/.test(text.charAt(from)) && from < at + 10) from++
  if (!/["'\\]/.test(text.charAt(from))) return
  if (kind === 'authorization') {
    addAuthorization(text, from, spans)
    return
  }
  if (kind === 'cookie') {
    addCookie(text, from, spans)
    return
  }
  const value = readValue(text, from, false)
  if (value === null || !value.isQuoted) return
  // the next name of an object, or the next of a list of words
  if (
    /^["'\\]{1,2}\s{0,4}:/.test(
      text.slice(value.start + value.text.length, value.start + value.text.length + 6),
    )
  )
    return
  const isFlagOrHeader = /^-|^[A-Z][A-Z0-9_]*$/.test(name)
  if (!isFlagOrHeader && !/\(\s{0,40}\\{0,3}["']$/.test(text.slice(Math.max(0, start - 44), start))) return
  const isSecret =
    kind === 'password'
      ? (isFlagOrHeader || /[0-9!#%^*+~@$?]/.test(value.text)) &&
        looksLikePassword(value.text, { isQuoted: true, isAlone: isFlagOrHeader })
      : looksRandom(value.text, true, isFlagOrHeader ? 8 : 12)
  if (isSecret)
    spans.push(
      secretSpan(
        kind === 'password' ? 'password' : 'value named as a secret',
        value.start,
        value.text.length,
      ),
    )
}

/** A text under a name in JSON: `{ "password": "…" }`. */
export function isSecretAssignment(name: string, value: string): boolean {
  if (value.length > 4000) return false
  const kind = nameKind(name)
  if (kind === 'password')
    return (
      looksLikePassword(value, { isQuoted: true, isAlone: /^[A-Z][A-Z0-9_]*$/.test(name) }) ||
      looksRandom(value, true)
    )
  if (kind !== 'secret') return false
  return (
    looksRandom(value, true) ||
    isLogin(name, value) ||
    isChosenSecret(name, { text: value, start: 0, isQuoted: true }, /^[A-Z][A-Z0-9_]*$/.test(name))
  )
}
