import { type Span, secretSpan } from './change.ts'
import { addSecret } from './find-assignments.ts'
import { isSecretValue, looksRandom } from './judge.ts'
import { secretKind } from './names.ts'
import { readValue, type Value } from './read-value.ts'
import { LOGIN_SIGNS, SECRET_TOOLS, SHORT_FLAGS, type ShortFlag } from './tools.ts'

/** Secrets after command-line flags. */
export function findFlags(text: string, spans: Span[]): void {
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1)) {
    const before = text.charCodeAt(at - 1)
    // whitespace, a quote, or an opening bracket
    if (
      at === 0 ||
      before <= 32 ||
      before === 34 ||
      before === 39 ||
      before === 96 ||
      before === 44 ||
      before === 91 ||
      before === 40
    )
      addFlag(text, at, spans)
  }
}

const FLAG = /--?([A-Za-z][\w.-]{0,60})/y
/** An equals sign, whitespace, a line continuation, or the comma of a list. */
const SEPARATOR = /=|[ \t]{1,8}(?:\\\r?\n[ \t]{0,40})?|["'],?[ \t\r\n]{1,20}(?=["'])|["'],(?=["'])/y
/** Flags that take a user and a password. */
const LOGIN =
  /^(?:u|U|user|proxy-user|proxy-username|login|creds|credentials?|userpwd|auth|a|http-user|basic-auth|userpass|username)$/
/** Flags for where a secret is, or of which type. */
const NO_SECRET = /-(?:stdin|file|path|env|prompt|fd|cmd|command|from|store|name|id|type|length|policy|in)$/

function addFlag(text: string, at: number, spans: Span[]): void {
  FLAG.lastIndex = at
  const flag = FLAG.exec(text)?.[1]
  if (flag === undefined) return
  const end = FLAG.lastIndex
  const isLong = text.charAt(at + 1) === '-'
  if (!isLong && addShort(text, at, flag, end, spans)) return
  const isLogin = LOGIN.test(flag)
  // curl -ubob:secret
  const isJoinedLogin = !isLong && /^[uU]./.test(flag) && LOGIN_SIGNS.has(toolBefore(text, at))
  if (isJoinedLogin) {
    addLogin(text, at, readValue(text, at + 2, 'argument'), false, spans)
    return
  }
  if (!isLogin && (flag.length === 1 || NO_SECRET.test(flag))) return
  const kind = secretKind(flag.replace(/^oauth2-/, ''))
  if (kind === null && !isLogin && flag !== 'cookie' && flag !== 'key') return
  const value = argument(text, end)
  if (value === null) return
  if (isLogin) addLogin(text, at, value, flag === 'username', spans)
  if (flag === 'cookie') addCookie(value, spans)
  else if (flag === 'key') {
    if (isLong && looksRandom(value.text, value.isQuoted, 16) && !/[./]/.test(value.text))
      spans.push(secretSpan('value named as a secret', value.start, value.text.length))
  } else if (kind !== null && !isUsage(value.text)) {
    const isAlone = value.isQuoted || toolBefore(text, at) !== ''
    // a secret with a digit does not have to look random
    const judged = kind === 'secret' && /[0-9]/.test(value.text) ? 'password' : kind
    addSecret(judged, value, { isAlone: kind === 'password' && isAlone }, spans)
  }
}

/** A placeholder from a usage text, or another flag. */
function isUsage(value: string): boolean {
  return /^[-[<]|^[A-Z_]+$|^(?:TEXT|string)$|^\d{1,3}$/.test(value)
}

function argument(text: string, end: number): Value | null {
  SEPARATOR.lastIndex = end
  return SEPARATOR.test(text) ? readValue(text, SEPARATOR.lastIndex, 'argument') : null
}

function addCookie({ text, start }: Value, spans: Span[]): void {
  if (/^[^\s=;]{1,80}=[^\s;]{8,}/.test(text)) spans.push(secretSpan('cookie', start, text.length))
}

/** `bob:secret`, `DOMAIN\bob%secret`, `bob,secret`: the part after the separator. */
function addLogin(text: string, at: number, value: Value | null, isName: boolean, spans: Span[]): void {
  if (value === null) return
  const tool = LOGIN_SIGNS.get(toolBefore(text, at))
  const sign = tool ?? ':'
  const place = value.text.indexOf(sign)
  const comma = value.start + value.text.length
  // the argument ended at the comma
  if (sign === ',' && place === -1 && text.charAt(comma) === ',') {
    const password = readValue(text, comma + 1, 'argument')
    if (password !== null) addSecret('password', password, { isAlone: true }, spans)
  }
  if (place < 0 || (place === 0 && sign !== ':')) return
  const password = { ...value, text: value.text.slice(place + 1), start: value.start + place + 1 }
  if (/^\d{1,5}$|^\/\/|^(?:pass(?:word|wd)?|pwd|secret|token|key)$/i.test(password.text)) return
  if (tool !== undefined && !isName) addSecret('password', password, { isAlone: true }, spans)
  else if (!value.text.includes('/'))
    addSecret('password', { ...password, isQuoted: false }, { least: 10 }, spans)
}

const NAMES = [...SHORT_FLAGS.keys()].sort((one, other) => other.length - one.length)

/** Whether the flag was one of these, whatever follows it. */
function addShort(text: string, at: number, flag: string, end: number, spans: Span[]): boolean {
  const name = NAMES.find((short) => flag.startsWith(short))
  if (name === undefined) return false
  const place = at + 1 + name.length
  const found = shortFlag(text, at, name)
  if (found === undefined || (flag !== name && !found.isJoined)) return false
  // followed by a quote, which in a list of arguments closes the flag itself
  const isInList = /["']/.test(text.charAt(at - 1))
  const isJoined = flag !== name || !(isInList ? /[\s"',]/ : /\s/).test(text.charAt(place))
  const value = isJoined
    ? found.isJoined
      ? readValue(text, place, 'argument')
      : null
    : found.isSpaced
      ? argument(text, end)
      : null
  if (value === null || /^[-<[${]/.test(value.text)) return true
  if (name === 'b') addCookie(value, spans)
  else if (!isJoined && /^\d{1,5}(?::\d{1,5})?$/.test(value.text)) return true
  else if (
    (isJoined && /^\d{4,20}$/.test(value.text)) ||
    isSecretValue('password', value.text, { isQuoted: true, isAlone: true })
  )
    spans.push(secretSpan('password', value.start, value.text.length))
  return true
}

/** Considers every tool before it: `docker exec db mysql -pX`. */
function shortFlag(text: string, at: number, name: string): ShortFlag | undefined {
  const used = toolsBefore(text, at)
  return SHORT_FLAGS.get(name)?.find(
    ({ tools, isOfLogin }) =>
      used.some((tool) => tools.has(tool)) && (!isOfLogin || isLoginCommand(text, at)),
  )
}

const MOST_COMMAND = 300
const END_OF_COMMAND = /(?<!\\|\\\r)\n|[;`|]|&&|\$\(/g
const WORD = /[A-Za-z0-9_][\w.+-]{0,30}/g

/** The command read last, so that a command is not read again for each of its flags. */
let last = { text: '', from: 0, at: 0, tools: [] as string[] }

/** The tools among the words of the command that precede `at`. */
function toolsBefore(text: string, at: number): readonly string[] {
  const isSame = last.text === text && at >= last.at && at - last.at < MOST_COMMAND
  const from = isSame ? last.at : Math.max(0, at - MOST_COMMAND)
  const piece = text.slice(from, at)
  const ends = [...piece.matchAll(END_OF_COMMAND)].at(-1)
  const start = from + (ends === undefined ? 0 : ends.index + ends[0].length)
  const tools = isSame && ends === undefined ? last.tools : []
  for (const { 0: found, index } of text.slice(start, at).matchAll(WORD)) {
    const name = found.replace(/\.exe$/i, '')
    if (SECRET_TOOLS.has(name) && !/[=:@-]/.test(text.charAt(start + index - 1)) && !tools.includes(name))
      tools.push(name)
  }
  last = { text, from: tools === last.tools ? last.from : start, at, tools }
  return tools
}

/** '' if none. */
function toolBefore(text: string, at: number): string {
  return toolsBefore(text, at)[0] ?? ''
}

/** Whether the command before `at` is a login. */
function isLoginCommand(text: string, at: number): boolean {
  toolsBefore(text, at)
  return /\b(?:login|service-principal)\b/.test(text.slice(Math.max(last.from, at - MOST_COMMAND), at))
}
