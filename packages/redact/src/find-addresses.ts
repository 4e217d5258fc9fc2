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

const LOCAL = /[A-Za-z0-9._%+'\u00a1-\uffff-]{1,64}$/
const QUOTED_LOCAL = /"[A-Za-z0-9 ._%+'@\u00a1-\uffff-]{1,64}"$/
const LABEL = '[A-Za-z0-9\\u00a1-\\uffff](?:[A-Za-z0-9\\u00a1-\\uffff-]{0,61}[A-Za-z0-9\\u00a1-\\uffff])?'
const DOMAIN = new RegExp(
  `(?:(?:${LABEL}(?:\\.| ?[[(]dot[\\])] ?)){1,6}(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,40}|[\\u00a1-\\uffff]{2,24})(?![A-Za-z0-9_-])|\\[(?:\\d{1,3}(?:\\.\\d{1,3}){3}|IPv6:[0-9a-fA-F:]{2,40})\\])`,
  'y',
)
/** Not top-level domains: an address with this ending is a file. */
const FILES =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|scss|less|js|mjs|cjs|jsx|tsx?|mts|cts|json|jsonl|map|html?|txt|java|kt|tgz|gz|bz2|xz|jar|whl|yaml|yml|toml|lock|patch|diff|service|timer|socket|target|mount|xml|csv|log|pdf|exe|dll|cpp|hpp|vue|svelte|php|rb|cfg|ini|conf|tar|woff2?|ttf)$/i
/** Endings that are both a country domain and a file extension. */
const FILES_OR_COUNTRIES = /\.(?:md|py|rs|go|zip|sh|pl|so|ps|cc|mov|ml|vi)$/i
const FILE_NAMES =
  /^(?:files?|readme|index|main|tests?|mod|lib|app|setup|init|config|utils?|types?|server|client|package|changelog|license|contributing|notes|todo|docs?|script|run|build|example|sample|\d.*|v\d.*|.*_.*)\./i
/** Roles without a person behind them. */
const ROLES = /^(?:git|hg|svn|no-?reply|do-?not-?reply|postmaster|mailer-daemon|actions|bot)$/i
/** Reserved for documentation. */
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net)|noreply\.github\.com)$/i

/** Email addresses. Reads at most 64 characters before each `@` and 400 after. */
export function findEmails(text: string, spans: Span[]): void {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1))
    addEmail(text, at, at + 1, spans)
  for (const sign of SPELLED) {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + sign.length)) {
      const isSpaced = text.charAt(at - 1) === ' ' && text.charAt(at + sign.length) === ' '
      addEmail(text, isSpaced ? at - 1 : at, at + sign.length + (isSpaced ? 1 : 0), spans)
    }
  }
}

/** Spellings that people use against harvesters. */
const SPELLED = ['[at]', '(at)', '[@]', '(@)']

/** @param localEnd where the at sign begins @param domainStart where it ends */
function addEmail(text: string, localEnd: number, domainStart: number, spans: Span[]): void {
  const last = text.charCodeAt(localEnd - 1)
  // whitespace, slash, parenthesis: mostly decorators and scopes
  if (last <= 33 || last === 47 || last === 40 || Number.isNaN(last)) return
  DOMAIN.lastIndex = domainStart
  const domain = DOMAIN.exec(text)?.[0]
  if (domain === undefined || FILES.test(domain) || RESERVED.test(domain)) return
  const local = localOf(text.slice(Math.max(0, localEnd - 68), localEnd))
  if (!/[A-Za-z0-9\u00a1-\uffff]/.test(local) || ROLES.test(local)) return
  const start = localEnd - local.length
  const end = domainStart + domain.length
  // the user of a URL is not an email address
  if (isFile(text, start, domain, end) || text.endsWith('://', start)) return
  spans.push({ kind: 'email', name: 'e-mail address', start, end, replacement: '[e-mail]' })
}

/** '' if none ends here. */
function localOf(before: string): string {
  if (before.endsWith('"')) return QUOTED_LOCAL.exec(before)?.[0] ?? ''
  const local = LOCAL.exec(before)?.[0] ?? ''
  // a line break written as `\n`, or an encoded character before it
  const isEscaped = /\\[nrt]$/.test(before.slice(0, before.length - local.length + 1))
  return (isEscaped ? local.slice(1) : local)
    .replace(/^.*%(?:20|22|2C|3C|3A|3D|26)/i, '')
    .replace(/^['.%+-]+/, '')
}

/** Clearly a file, a package or a version: `src/user@file.md`, `icon@2x.rs:12`. */
function isFile(text: string, start: number, domain: string, end: number): boolean {
  if (!FILES_OR_COUNTRIES.test(domain)) return false
  return (
    /[/\\]/.test(text.charAt(start - 1)) ||
    FILE_NAMES.test(domain) ||
    /^(?::\d|[/\\])/.test(text.slice(end, end + 2)) ||
    domain.split('.').length > 3
  )
}
