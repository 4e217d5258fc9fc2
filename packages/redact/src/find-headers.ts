import { type Span, secretSpan } from './change.ts'
import { isLogin, isPlaceholder, looksRandom } from './judge.ts'

const SCHEME =
  /["'`]{0,2}(?:(?:(?:bearer|basic|token|negotiate|ntlm|apikey|api-key|key|digest|hawk|ssws|sso-key|geniekey|hmac|signature|oauth|mac|dpop|aws4-hmac-sha256|aws|sharedkey|sharedkeylite|nostr|x-api-key|jwt|bot|client-id|user)[ \t:=]{1,4}){1,2})?/iy
/** Schemes with fields, some of which are secret. */
const OF_FIELDS = /digest|hmac|hawk|signature|oauth|mac|aws/i
const LINE = /(?:[^\r\n"'`]|"){6,4000}/y
const FIELD =
  /(?:response|signature|mac|nonce|cnonce|credential|oauth_signature|oauth_token|opaque)="?([^\s",]{8,2000})/gi

/** The value of an authorization header, starting at `from`: after the scheme, a token or fields. */
export function addAuthorization(text: string, from: number, spans: Span[]): void {
  SCHEME.lastIndex = from
  const scheme = SCHEME.exec(text)?.[0] ?? ''
  const start = from + scheme.length
  const hasScheme = /[A-Za-z]/.test(scheme)
  const add = (at: number, { length }: string) => spans.push(secretSpan('authorization header', at, length))
  LINE.lastIndex = start
  const line = LINE.exec(text)?.[0] ?? ''
  const [first = ''] = line.split(/[\s,;"')}\]<>]/, 1)
  if (!OF_FIELDS.test(scheme)) {
    if (looksRandom(first, hasScheme, hasScheme ? 8 : 12)) add(start, first)
    else if (hasScheme && isLogin(first) && !isPlaceholder(first)) add(start, first)
    else addBehindScheme(line, (at, value) => add(start + at, value))
    return
  }
  const fields = [...line.matchAll(FIELD)].filter(({ 1: value = '' }) => looksRandom(value, true, 8))
  for (const { index, 0: found, 1: value = '' } of fields)
    add(start + index + found.length - value.length, value)
  // AWS AKID:signature
  if (fields.length === 0 && looksRandom(first, true, 16)) add(start, first)
}

/** An unlisted scheme and one of its fields: `Splunk …`, `GoogleLogin auth=…`. */
function addBehindScheme(line: string, add: (at: number, value: string) => void): void {
  const [head = '', value = ''] =
    /^[A-Za-z][\w-]{2,30} (?:\w{2,12}=)?"?([^\s"'`,;<>]{16,2000})/.exec(line) ?? []
  if (looksRandom(value, false, 16)) add(head.length - value.length, value)
}

const COOKIES = /["'`]{0,2}([^\s"'`;=\\]{1,100}=[^\r\n"'`\\]{8,2000})/y

/** All cookies of a header, starting at `from`. */
export function addCookies(text: string, from: number, spans: Span[]): void {
  COOKIES.lastIndex = from
  const value = COOKIES.exec(text)?.[1]
  if (value === undefined || isPlaceholder(value) || !/=[^\s;]{8}/.test(value)) return
  if (/\(|=>|===?\s|\$\{|[<>]/.test(value.slice(0, 300))) return
  spans.push(secretSpan('cookie', COOKIES.lastIndex - value.length, value.length))
}

const COOKIE_LINE =
  /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,100}\t(?:TRUE|FALSE)\t\d{1,12}\t([^\t\n]{1,100})\t([^\s]{8,4000})/y

/** A line of `cookies.txt`: its last field. */
export function addCookieLine(text: string, at: number, spans: Span[]): void {
  COOKIE_LINE.lastIndex = at
  const value = COOKIE_LINE.exec(text)?.[2]
  if (value !== undefined && looksRandom(value, true, 8))
    spans.push(secretSpan('cookie', COOKIE_LINE.lastIndex - value.length, value.length))
}
