import { type Span, secretSpan } from './change.ts'
import { isSecretValue, looksRandom } from './judge.ts'

/** Passwords in URLs, and in lines with a fixed password field. */
export function findAddresses(text: string, spans: Span[]): void {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3))
    addUserInfo(text, at + 3, spans)
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) addBeforeAt(text, at, spans)
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1))
    // a port and another colon, or an asterisk
    if (text.charCodeAt(at + 5) === 58 || text.charCodeAt(at + 6) === 58 || text.charCodeAt(at + 1) === 42)
      addPasswordFile(text, at, spans)
}

const NAME = 'password in an address'
const AUTHORITY = /[^\s"'`<>\\^]{3,500}/y
const STAND_IN = /^(?:pass(?:word|wd)?|pwd|pw|secret|token|user|username|key|pass_?word|\*+|x+|\.+|\d{1,5})$/i
const TEMPLATE = /[{}]|^\$|^<|\*{3}|^%\w+%$|\.{3}|…/

/** From the first `:` to the last `@` before the path, or the last `@` at all if a password contains a slash. */
function addUserInfo(text: string, start: number, spans: Span[]): void {
  AUTHORITY.lastIndex = start
  const rest = AUTHORITY.exec(text)?.[0]
  if (rest === undefined || !rest.includes('@')) return
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? ''
  let end = authority.lastIndexOf('@')
  const colon = authority.indexOf(':')
  if (colon === -1) {
    // a token instead of a user
    if (end > 0 && looksRandom(authority.slice(0, end), true, 20)) spans.push(secretSpan(NAME, start, end))
    return
  }
  if (end === -1) {
    const isPort = /^:(?:\d{1,5}|..?)?$/.test(authority.slice(colon))
    if (isPort || /^[^@]*\/@/.test(rest) || !/^[^/]*\/[^/]*@[\w.-]+(?::\d+)?(?:\/|$)/.test(rest)) return
    end = rest.slice(0, 200).lastIndexOf('@')
  }
  const password = rest.slice(colon + 1, end)
  if (password.length < 3 || STAND_IN.test(password) || TEMPLATE.test(password)) return
  // two addresses in a row
  if (!password.includes('://')) spans.push(secretSpan(NAME, start + colon + 1, password.length))
}

const DRIVER = /@(?:(?:tcp|unix|udp|cloudsql|pipe)\(|\/\/)/y
const BEFORE_DRIVER = /[\w.-]{1,80}[:/]([^\s"'`<>/]{3,200})$/
const HOST =
  /@(?=[\w.-]{0,80}[A-Za-z])(?!v?[0-9]+\.[0-9])[A-Za-z0-9][\w-]{0,62}(?:\.[A-Za-z0-9][\w-]{0,62}){0,6}(?:[:/]\d{0,5}|[\s"'`,)]|$)/y
const BEFORE_HOST = /(?:^|[\s"'`=(,])[\w.-]{1,80}:([^\s"'`<>:@/]{6,100})$/

/** `bob:secret@tcp(db)`, `bob/secret@//db`, `bob:secret@db.shop.io`. */
function addBeforeAt(text: string, at: number, spans: Span[]): void {
  DRIVER.lastIndex = at
  const isDriver = DRIVER.test(text)
  const before = text.slice(Math.max(0, at - 300), at)
  const password = (isDriver ? BEFORE_DRIVER : BEFORE_HOST).exec(before)?.[1]
  if (password === undefined) return
  HOST.lastIndex = at
  const isSecret = isDriver
    ? !STAND_IN.test(password) && !TEMPLATE.test(password)
    : HOST.test(text) && isSecretValue('password', password, { isQuoted: false, least: 10 })
  if (isSecret) spans.push(secretSpan(NAME, at - password.length, password.length))
}

const PASSWORD_FILE =
  /:(?:[0-9]{4,5}|\*):([A-Za-z0-9_.*-]{1,63}):([A-Za-z_*][A-Za-z0-9_.*@-]{0,63}):((?:[^\s:"'`\\]|\\[:\\]){4,200})(?=[\r\n"'`]|[ \t]|$)/y
const FILE_HOST = /(?:^|[\s"'`])(?:\*|[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}|\[[0-9a-f:]{2,40}\]|\/[\w./-]{1,60})$/

/** `host:port:database:user:password`, as in `.pgpass`. */
function addPasswordFile(text: string, at: number, spans: Span[]): void {
  PASSWORD_FILE.lastIndex = at
  const password = PASSWORD_FILE.exec(text)?.[3]
  if (password === undefined || !FILE_HOST.test(text.slice(Math.max(0, at - 110), at))) return
  if (isSecretValue('password', password, { isQuoted: false, isAlone: true, least: 400 }))
    spans.push(secretSpan('password', PASSWORD_FILE.lastIndex - password.length, password.length))
}
