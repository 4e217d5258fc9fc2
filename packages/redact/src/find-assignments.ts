import { type Span, secretSpan } from './change.ts'
import { addAuthorization, addCookies } from './find-headers.ts'
import { isLogin, isSecretValue, looksRandom, type SecretKind, type ValueContext } from './judge.ts'
import {
  type FoundName,
  isVariable,
  type NameKind,
  nameBefore,
  nameKind,
  secretKind,
  widerName,
} from './names.ts'
import { readValue, type Value } from './read-value.ts'

/** Secrets identified by the name they are assigned to: `DB_PASSWORD=`, `"apiKey": "`, `<password>`, `Cookie:`. */
export function findAssignments(text: string, spans: Span[]): void {
  for (const [sign, add] of SIGNS)
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + sign.length))
      add(text, at, spans)
}

const SIGNS: readonly [sign: string, add: (text: string, at: number, spans: Span[]) => void][] = [
  ['=', addAssigned],
  [':', addAssigned],
  ['：', addAssigned],
  ['</', addElement],
  ['("', addArgument],
  ["('", addArgument],
  ['",', addPair],
  ["',", addPair],
]

/** Adds the value if it is a secret of this kind. */
export function addSecret(
  kind: SecretKind,
  { text, start, isQuoted }: Value,
  how: Omit<ValueContext, 'isQuoted'>,
  spans: Span[],
): void {
  if (isSecretValue(kind, text, { isQuoted, ...how })) spans.push(spanOf(kind, start, text.length))
}

function spanOf(kind: SecretKind, start: number, length: number): Span {
  return secretSpan(kind === 'password' ? 'password' : 'value named as a secret', start, length)
}

/** Between the name and the value: `=`, `:`, `:=`, `=>`, `==`. */
const GAP = /(?:[:=]{0,2}>?|:)[ \t]{0,8}/y
/** The value is on the following lines. */
const BLOCK = /[|>][-+0-9]{0,2}[ \t]{0,4}\r?\n[ \t]{1,40}/y
/** `password: String = "…"`: the name precedes its type. */
const TYPE = /^(?:String|string|str)$/

function addAssigned(text: string, sign: number, spans: Span[]): void {
  const character = text.charAt(sign)
  // part of an address, or the second character of a comparison
  if (character === ':' && text.startsWith('//', sign + 1)) return
  const before = text.charAt(sign - 1)
  if (character === '=' && (before === '=' || before === '!' || before === '<')) return
  const found = nameBefore(text, before === ':' ? sign - 1 : sign)
  if (found === null) {
    addInOtherLetters(text, sign, spans)
    return
  }
  // a namespace or a resource type, not the name of a value
  if (text.charAt(found.start - 1) === ':' && (character === ':' || text.charAt(found.start - 2) === ':'))
    return
  const named = namedBefore(text, found, character)
  if (named === null) return
  GAP.lastIndex = sign
  GAP.exec(text)
  let at = Math.max(GAP.lastIndex, sign + 1)
  BLOCK.lastIndex = at
  if (BLOCK.test(text)) at = BLOCK.lastIndex
  if (named.kind === 'authorization') addAuthorization(text, at, spans)
  else if (named.kind === 'cookie') addCookies(text, at, spans)
  else addValue(text, { ...named, kind: named.kind, at, sign }, spans)
}

const OTHER_LETTERS = /(?:пароль|密码|密碼|口令|パスワード|비밀번호)\s?$/i

/** `пароль: …`: all other names are ASCII. */
function addInOtherLetters(text: string, sign: number, spans: Span[]): void {
  const last = text.charCodeAt(sign - 1) === 32 ? sign - 2 : sign - 1
  if (!(text.charCodeAt(last) > 127) || !OTHER_LETTERS.test(text.slice(Math.max(0, sign - 16), sign))) return
  const from = sign + 1 + (/^\s{0,4}/.exec(text.slice(sign + 1, sign + 5))?.[0].length ?? 0)
  const value = readValue(text, from, 'line')
  if (value !== null) addSecret('password', value, {}, spans)
}

function namedBefore(
  text: string,
  found: FoundName,
  character: string,
): (FoundName & { kind: NameKind }) | null {
  const { name, start } = found
  const own = nameKind(name)
  if (own !== null && own !== 'query') return { ...found, kind: own }
  const wider = widerName(text, found)
  const kind = wider === name ? own : (nameKind(wider) ?? own)
  if (kind !== null) return { ...found, name: wider, kind }
  if (/^(?:value|default)$/i.test(name)) return namedBeside(text, found)
  if (character !== '=' || !TYPE.test(name)) return null
  const colon = /:\s{0,4}&?$/.exec(text.slice(Math.max(0, start - 6), start))
  const typed = colon && nameBefore(text, start - colon[0].length)
  const ofTyped = typed && secretKind(typed.name)
  return ofTyped === null ? null : { ...found, name: typed?.name ?? '', kind: ofTyped }
}

/** `name: DB_PASSWORD` above `value: …`, also in JSON and XML. */
const BESIDE =
  /(?:name|key|id)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([\w.-]{2,64})["']?(?:,|\s|\/?>|\}){0,60}["']?$/i
/** `"value": "…", "name": "DB_PASSWORD"`. */
const BESIDE_AFTER =
  /^value["']\s{0,4}:\s{0,4}["'][^"'\n]{4,400}["'],\s{0,40}["'](?:name|key|id)["']\s{0,4}:\s{0,4}["']([\w.-]{2,64})["']/i
/** `variable "db_password" { default = "…" }`, `"db_password": { "value": "…" }`. */
const VARIABLE = /\b(?:variable|output)\s{1,4}"([\w-]{2,64})"\s{0,4}\{[^{}]{0,100}$/
const HOLDER = /["']([\w.-]{2,64})["']\s{0,4}:\s{0,4}\{\s{0,60}["']?$/

function namedBeside(text: string, found: FoundName): (FoundName & { kind: NameKind }) | null {
  const before = text.slice(Math.max(0, found.start - 160), found.start)
  const after = text.slice(found.start, found.start + 600)
  const name = [BESIDE, VARIABLE, HOLDER]
    .map((form) => form.exec(before)?.[1])
    .concat(BESIDE_AFTER.exec(after)?.[1])
    .find((each) => each !== undefined)
  if (name === undefined) return null
  const kind = nameKind(name)
  // a cookie in a browser's log
  if (kind === 'query') return /^(?:session|sid)/i.test(name) ? { ...found, name, kind: 'secret' } : null
  return kind && { ...found, name, kind }
}

/** Everything that may precede a name at the start of its line. */
const LINE_HEAD =
  /^[ \t]{0,60}(?:(?:[-+>#*|][ \t]{1,4}|[-+](?=[A-Za-z_])|\/\/[ \t]{0,4}|export[ \t]{1,4}|set[ \t]{1,4}|SET[ \t]{1,4}|ENV[ \t]{1,4}|ARG[ \t]{1,4}|declare -x[ \t]{1,4}|\$env:|Environment="?|-e[ \t]{1,4}|\d{1,6}[:|\t ][ \t]{0,8})){0,3}["']?(?:[\w-]{1,40}[.:/]){0,6}$/i
const MOST_HEAD = 110

/** Whether only insignificant text precedes `at` in its line. */
function beginsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MOST_HEAD), at)
  const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  return (start > 0 || at <= MOST_HEAD) && LINE_HEAD.test(before.slice(start))
}

interface Place extends FoundName {
  kind: SecretKind | 'query'
  /** Where the value begins, and the index of the sign before it. */
  at: number
  sign: number
}

/** `Password={…}`: database drivers use braces around values with special characters. */
const BRACED = /\{([^\s{}"':]{4,100})\}/y

function addValue(text: string, { name, kind, start, isQuoted, at, sign }: Place, spans: Span[]): void {
  const head = text.slice(Math.max(0, start - 16), start)
  const isQuery = /[?&;]$|&amp;$/.test(head)
  if (kind === 'query' && !/[?&]$|&amp;$/.test(head)) {
    const own = /^key$/i.test(name) ? readValue(text, at, 'code') : null
    if (
      own?.isQuoted === true &&
      looksRandom(own.text, true, 24) &&
      /^(?=.*[A-Z])(?=.*[a-z])\w+$/.test(own.text)
    )
      spans.push(spanOf('secret', own.start, own.text.length))
    return
  }
  const isTight = at === sign + 1
  if (kind === 'password' && isTight && text.charAt(at) === '{') {
    BRACED.lastIndex = at
    const braced = BRACED.exec(text)?.[1]
    if (braced !== undefined)
      addSecret(kind, { text: braced, start: at + 1, isQuoted: false }, { least: 10 }, spans)
  }
  const isAssigned = isTight && text.charAt(sign) === '='
  const isShell = isAssigned && isVariable(name)
  const isLine = !isQuery && !isQuoted && beginsLine(text, start)
  const isWhole = isLine || (isShell && /(?:^|\s)(?:-e\s+|--env\s+)?$/.test(head))
  if (isLine && /phrase$/i.test(name)) addPhrase(text, at, spans)
  const value = readValue(text, at, isWhole ? 'line' : 'code')
  if (value === null || isTyped(text, value)) return
  const isAlone =
    isShell ||
    (isLine && endsLine(text, value)) ||
    (isAssigned && (isInQuery(text, start) || SETTING.test(head) || isArgument(text, start)))
  if (kind === 'password') {
    const isLabel = isTight && !isAssigned && !value.isQuoted && !isQuoted
    if (!isLabel) addSecret(kind, value, { isAlone, least: 10 }, spans)
  } else if (
    looksRandom(value.text, value.isQuoted, isShell || isQuery ? 8 : 10) ||
    isChosenSecret(name, value, isShell) ||
    (/auth$|credentials?$/i.test(name) && isLogin(value.text))
  )
    spans.push(spanOf('secret', value.start, value.text.length))
}

const PHRASE = /(?:[a-z]{3,12} ){3,11}[a-z]{3,12}(?=[ \t]{0,20}(?:\r?\n|$))/y

/** `passphrase: four words without quotes`. */
function addPhrase(text: string, at: number, spans: Span[]): void {
  PHRASE.lastIndex = at
  const words = PHRASE.exec(text)?.[0]
  if (words !== undefined) addSecret('password', { text: words, start: at, isQuoted: true }, {}, spans)
}

/** `user=bob password=…`, `Uid=bob;Pwd=…`, `user=bob&password=…`: a list of settings, whose values can be plain words. */
const SETTING = /\w=[^\s=,;&]{1,40}[ ,;&]$|\w["'][ ,]$/

/** `--set auth.password=…`, `-var 'db_password=…'`: values can be plain words here, too. */
const ARGUMENT =
  /(?:--set(?:-string)?|--?var|--build-arg|--from-literal|--data(?:-\w{3,9})?|--form|--extra-vars|\s-[deF])[ =]["']?$|\bput(?: -\S{1,30})? \S{1,80} $/

function isArgument(text: string, start: number): boolean {
  return ARGUMENT.test(text.slice(Math.max(0, start - 100), start))
}

/** A query string: it has a `?`, with no whitespace in between. */
function isInQuery(text: string, start: number): boolean {
  return (
    /[?&]$/.test(text.slice(start - 1, start)) &&
    /\?[^\s"'`<>]{0,190}$/.test(text.slice(Math.max(0, start - 200), start))
  )
}

/** Only a comment may follow on the line, not punctuation that code requires. */
function endsLine(text: string, { start, text: value }: Value): boolean {
  return /^["']?(?:[ \t]*(?:$|[\r\n"])|[ \t]+(?:#|\/\/|;))/.test(
    text.slice(start + value.length, start + value.length + 12),
  )
}

/** `password: string | null`, `password: Schema.optional`. */
function isTyped(text: string, { start, text: value, isQuoted }: Value): boolean {
  const end = start + value.length
  return !isQuoted && /^\s?[|([<{]|^\??\.|^\?/.test(text.slice(end, end + 3))
}

/** `JWT_SECRET=keyboard cat`: a secret chosen by a person. */
function isChosenSecret(name: string, { text, isQuoted }: Value, isShell: boolean): boolean {
  if (!/secret(?:_?key)?$/i.test(name) || !isSecretValue('password', text, { isQuoted, isAlone: isShell }))
    return false
  return isShell || (isQuoted && /[\s0-9!#%^*+~@$?]/.test(text))
}

const ELEMENT = /(?:[\w-]{1,20}:)?([A-Za-z][\w.-]{1,60})>/y
/** Elements that are named by another, or by an attribute. */
const NAMED_ELEMENT = /^(?:string|value|property|entry|param|item|setting|add|option|field|var|env|td|dd)$/i
const ELEMENT_NAME =
  />\s{0,4}([\w .-]{2,64}):?\s{0,4}<\/(?:key|name|td|th|dt)>\s{0,80}<(?:string|value|td|dd)(?:\s[^<>]{0,60})?>$|<\w{2,20}\s(?:[^<>]{0,40}\s)?(?:name|key|id)="([\w .-]{2,64})"[^<>]{0,20}>$|<([\w.-]{2,60})>\s{0,40}<value>$/i

/** `<password>…</password>`, `<key>Password</key><string>…</string>`, `<Password><Value>…</Value>`. */
function addElement(text: string, close: number, spans: Span[]): void {
  ELEMENT.lastIndex = close + 2
  const tag = ELEMENT.exec(text)?.[1]
  if (tag === undefined) return
  const isNamed = NAMED_ELEMENT.test(tag)
  if (!isNamed && secretKind(tag) === null) return
  const from = Math.max(0, close - 2000)
  const start = from + text.slice(from, close).lastIndexOf('>') + 1
  if (start === from || start === close) return
  const value = text.slice(start, close).trim()
  const before = text.slice(Math.max(0, start - 120), start)
  const [, ...names] = isNamed ? (ELEMENT_NAME.exec(before) ?? []) : ['', tag]
  const kind = secretKind(names.find((name) => name !== undefined) ?? '')
  if (kind === null || (!isNamed && !/<(?:[\w-]{1,20}:)?[\w.-]{1,60}(?:\s[^<>]{0,90})?>$/.test(before)))
    return
  // the form Maven uses
  const isEncrypted = /^\{[A-Za-z0-9+/=]{20,200}\}$/.test(value)
  if (isEncrypted || (isSecretValue(kind, value, { isQuoted: true }) && !value.startsWith('{')))
    spans.push(spanOf(kind, text.indexOf(value, start), value.length))
}

const SETTER =
  /^(?:\w+\.)*(?:with|set|add|basic)?_?(?:[A-Za-z]{1,20}_)?(?:password|passwd|passphrase|apikey|api_key|secretkey|accesstoken|authtoken|bearerauth|secret|token)$/i

/** `setPassword("…")`, `.password('…')`. */
function addArgument(text: string, at: number, spans: Span[]): void {
  const name = nameBefore(text, at)?.name ?? ''
  const kind = SETTER.test(name) ? secretKind(name) : null
  const value = kind && readValue(text, at + 1, 'code')
  if (kind === null || value === null) return
  const end = value.start + value.text.length
  if (!/^\s*[,)]/.test(text.slice(end + 1, end + 6)) || /^[a-z]+$/.test(value.text)) return
  addSecret(kind, value, { least: 12 }, spans)
}

/** `define('DB_PASSWORD', '…')`, `setRequestHeader("X-Api-Key", "…")`, `["--token", "…"]`. */
function addPair(text: string, at: number, spans: Span[]): void {
  const found = nameBefore(text, at + 1)
  if (found === null || !/["']/.test(text.charAt(found.start - 1))) return
  const { name, start } = found
  const kind = nameKind(name)
  if (kind === null || kind === 'query') return
  const from = at + 2 + (/^\s{0,10}/.exec(text.slice(at + 2, at + 12))?.[0].length ?? 0)
  if (!/["']/.test(text.charAt(from))) return
  if (kind === 'authorization' || kind === 'cookie') {
    const add = kind === 'cookie' ? addCookies : addAuthorization
    add(text, from, spans)
    return
  }
  const value = readValue(text, from, 'code')
  if (value === null || !value.isQuoted) return
  const end = value.start + value.text.length
  // the next property name of an object
  if (/^["']{1,2}\s{0,4}:/.test(text.slice(end, end + 6))) return
  const isSure = name.startsWith('-') || isVariable(name)
  if (!isSure && !/\(\s{0,40}["']$/.test(text.slice(Math.max(0, start - 44), start))) return
  if (kind === 'password' && !isSure && !/[0-9!#%^*+~@$?]/.test(value.text)) return
  addSecret(kind, value, { isAlone: isSure, least: isSure ? 8 : 12 }, spans)
}

/** A text under a property in JSON: `{ "password": "…" }`. */
export function isSecretAssignment(name: string, value: string): boolean {
  const kind = value.length > 4000 ? null : secretKind(name)
  if (kind === null) return false
  const text = { text: value, start: 0, isQuoted: true }
  if (kind === 'password')
    return isSecretValue(kind, value, { isQuoted: true, isAlone: isVariable(name), least: 10 })
  return (
    looksRandom(value, true) ||
    isChosenSecret(name, text, isVariable(name)) ||
    (/auth$|credentials?$/i.test(name) && isLogin(value))
  )
}
