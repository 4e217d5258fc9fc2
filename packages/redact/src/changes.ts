import type { Known } from './known.ts'

/** What a reviewer can switch off as a whole. */
export type ChangeKind = 'secret' | 'home' | 'user' | 'host' | 'email'

/** A place that was found: from `start` to `end` of the text that was given. */
export interface Span {
  kind: ChangeKind
  /** What it is, in words: "GitHub token". */
  name: string
  start: number
  end: number
  replacement: string
  /** The name of a person or computer in it, which is then looked for elsewhere. */
  learned?: string
}

/** Adds what it finds around a literal that it was handed the place of. */
export type FindAt = (text: string, at: number, spans: Span[]) => void

/** One replacement, with what a reviewer needs to judge it. */
export interface Change extends Span {
  /** What stood there; never to be written anywhere but into the review. */
  value: string
  before: string
  after: string
  /** In a value: the way to the text, as `args.command`; '' in a text. */
  at: string
}

/** What could not be examined, and so does not go out. */
export interface LeftOut {
  reason: 'binary' | 'too-large'
  /** In UTF-16 units, as `length` counts. */
  length: number
  at: string
}

export interface RedactOptions {
  /** Home folders of the person, as the system writes them. */
  homes?: readonly string[]
  userNames?: readonly string[]
  hostNames?: readonly string[]
  /** Kinds that a reviewer switched off. */
  keepKinds?: ReadonlySet<ChangeKind>
  /** Single findings that a reviewer switched off, by what stands there. */
  keepValues?: ReadonlySet<string>
  /** A longer text is left out; 16 million unless told. */
  maxLength?: number
  /** What all texts together tell (`collectKnown`); unless given, each text or value is redacted by what it tells itself. */
  known?: Known
}

/** Passwords in addresses and lines that hold one at a place of their own. */
export function findAddresses(text: string, spans: Span[]): void {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3))
    addUserInfo(text, at + 3, spans)
  for (const sign of ['%3A%2F%2F', '%3a%2f%2f'])
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 9))
      addUserInfo(text, at + 9, spans)
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) addBeforeAt(text, at, spans)
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    // a port or a star, and another colon
    if (text.charCodeAt(at + 5) === 58 || text.charCodeAt(at + 6) === 58 || text.charCodeAt(at + 1) === 42)
      addPasswordFile(text, at, spans)
  }
}

const AUTHORITY = /[^\s"'`<>\\^]{3,500}/y
const WORDS = /^(?:pass(?:word|wd)?|pwd|pw|secret|token|user|username|key|pass_?word|\*+|x+|\.+|\d{1,5})$/i

/** From the first `:` to the last `@` before the path, or before all of it where a password holds a slash. */
function addUserInfo(text: string, start: number, spans: Span[]): void {
  AUTHORITY.lastIndex = start
  const rest = AUTHORITY.exec(text)?.[0]
  if (rest === undefined || !/@|%40/.test(rest)) return
  const path = rest.search(/[/?#]/)
  const authority = path === -1 ? rest : rest.slice(0, path)
  let end = Math.max(authority.lastIndexOf('@'), authority.lastIndexOf('%40'))
  if (authority.lastIndexOf('@') !== -1) end = authority.lastIndexOf('@')
  const colon = authority.search(/:|%3A/i)
  if (colon === -1) {
    // a token in place of a user
    if (end > 0 && looksRandom(authority.slice(0, end), true, 20))
      spans.push(secretSpan('password in an address', start, end))
    return
  }
  if (end === -1) {
    const port = /^:\d{1,5}$/.test(authority.slice(colon)) || authority.slice(colon).length < 3
    const later = rest.slice(0, 200).lastIndexOf('@')
    if (
      port ||
      later === -1 ||
      /^[^@]*\/@/.test(rest) ||
      !/^[^/]*\/[^/]*@[\w.-]+(?::\d+)?(?:\/|$)/.test(rest)
    )
      return
    end = later
  }
  const from = colon + (authority.charAt(colon) === ':' ? 1 : 3)
  const password = rest.slice(from, end)
  if (password.length < 3 || WORDS.test(password) || /[{}]|^\$|^<|\*{3}|^%\w+%$|\.{3}|…/.test(password))
    return
  // two addresses, one behind the other
  if (/:\/\/|,/.test(password) && /:\/\//.test(password)) return
  spans.push(secretSpan('password in an address', start + from, password.length))
}

const DRIVER = /@(?:tcp|unix|udp|cloudsql|pipe)\(|@\/\//y
const BEFORE_DRIVER = /[\w.-]{1,80}:([^\s"'`<>]{3,200})$/
const BEFORE_ORACLE = /[\w.-]{1,60}\/([^\s"'`<>/]{3,100})$/
const HOST =
  /@(?=[\w.-]{0,80}[A-Za-z])(?!v?[0-9]+\.[0-9])[A-Za-z0-9][\w-]{0,62}(?:\.[A-Za-z0-9][\w-]{0,62}){0,6}(?:[:/]\d{0,5}|[\s"'`,)]|$)/y
const BEFORE_HOST = /(?:^|[\s"'`=(,])[\w.-]{1,80}:([^\s"'`<>:@/]{6,100})$/

/** `bob:secret@tcp(db)`, `bob/secret@//db`, `bob:secret@db.shop.io`. */
function addBeforeAt(text: string, at: number, spans: Span[]): void {
  DRIVER.lastIndex = at
  const driver = DRIVER.exec(text)?.[0]
  const before = text.slice(Math.max(0, at - 300), at)
  if (driver !== undefined) {
    const password = (driver === '@//' ? BEFORE_ORACLE : BEFORE_DRIVER).exec(before)?.[1]
    if (password !== undefined && !WORDS.test(password) && !/[{}]|^\$|^<|^%/.test(password))
      spans.push(secretSpan('password in an address', at - password.length, password.length))
    return
  }
  const password = BEFORE_HOST.exec(before)?.[1]
  if (password === undefined) return
  HOST.lastIndex = at
  if (HOST.test(text) && looksLikePassword(password, { isQuoted: false, isAlone: false }))
    spans.push(secretSpan('password in an address', at - password.length, password.length))
}

const PASSWORD_FILE =
  /:(?:[0-9]{4,5}|\*):([A-Za-z0-9_.*-]{1,63}):([A-Za-z_*][A-Za-z0-9_.*@-]{0,63}):((?:[^\s:"'`\\]|\\[:\\]){4,200})(?=[\r\n"'`]|\\[nr]|[ \t]|$)/y
const FILE_HOST =
  /(?:^|[\s"'`]|\\n)(?:\*|[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}|\[[0-9a-f:]{2,40}\]|\/[\w./-]{1,60})$/

/** `host:port:database:user:password`, as of `.pgpass`. */
function addPasswordFile(text: string, at: number, spans: Span[]): void {
  PASSWORD_FILE.lastIndex = at
  const found = PASSWORD_FILE.exec(text)
  const password = found?.[3]
  if (found == null || password === undefined || !FILE_HOST.test(text.slice(Math.max(0, at - 110), at)))
    return
  if (looksLikePassword(password, { isQuoted: false, isAlone: true }))
    spans.push(secretSpan('password', at + found[0].length - password.length, password.length))
}

/** A secret of this name, so long from `start` on. */
export function secretSpan(name: string, start: number, length: number): Span {
  return { kind: 'secret', name, start, end: start + length, replacement: `[redacted: ${name}]` }
}

/** A value as it is written: where it is, and how. */
export interface Value {
  text: string
  start: number
  isQuoted: boolean
}

const MOST_VALUE = 4000
/** A quote, also escaped, as an entity, in a query, in a list, or with the letter of a kind of string. */
const OPENING = /(?:\[[ \t]{0,4})?[bruflLN@$]{0,2}(\\{0,7})(?:("""|'''|["'`“])|(&quot;|&#39;|&#34;|%22))/y
const INLINE = /[^\s"'`\\,;<>{}()[\]&|]{1,4000}/y
/** Of a line that holds no more than this. */
const LINE = /[^\s"'`\\<>]{1,4000}/y

/** What stands at `at`: to the quote that ends it, else to the next blank, or (`isLine` false) sign. */
export function readValue(text: string, at: number, isLine: boolean): Value | null {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening !== null) {
    const start = at + opening[0].length
    const quote = opening[2] ?? opening[3] ?? '"'
    const end = closingOf(text, start, quote === '“' ? '”' : quote, opening[1]?.length ?? 0)
    return end <= start ? null : { text: text.slice(start, end), start, isQuoted: true }
  }
  const form = isLine ? LINE : INLINE
  form.lastIndex = at
  const found = form.exec(text)?.[0]
  if (found === undefined) return null
  const trimmed = isLine ? found.replace(/[,;)\]}]{1,4}$/, '') : found
  return trimmed === '' ? null : { text: trimmed, start: at, isQuoted: false }
}

/** Where the quote ends that began with so many backslashes, at the latest at the line's end. */
function closingOf(text: string, start: number, quote: string, depth: number): number {
  const piece = text.slice(start, start + MOST_VALUE)
  const lineEnd = quote.length === 3 ? -1 : piece.indexOf('\n')
  const last = lineEnd === -1 ? piece.length : lineEnd
  for (let at = piece.indexOf(quote); at !== -1 && at < last; at = piece.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (backslashes < 16 && piece.charCodeAt(at - backslashes - 1) === 92) backslashes++
    // what has more of them is a quote inside
    if (backslashes <= depth || (depth === 0 && backslashes % 2 === 0)) return start + at - backslashes
  }
  return start + last
}

/** Names of types, states and labels that stand where a password would. */
const NO_PASSWORD = new Set(
  (
    'string str text varchar char bytes number int integer bool boolean any unknown never void object null nil none undefined true false yes no on off ' +
    'required optional password passwd passwort passphrase pass pwd secret hidden input empty missing incorrect invalid forgotten wrong expired weak strong ' +
    'changed reset set unset valid enabled disabled default prompt field label name value type key token user username login email encrypted hashed plain plaintext ' +
    'secretstr optional[str] string? string! securestring credential credentials config env file stdin vault ask the a an to for is in of and or if with when from that which this ' +
    'must should can will may not your our my it its as at by be are was has have had then else than only also same new old current confirm repeat again ' +
    'authentication authorization auth basic digest bearer cookie session redacted masked protected sensitive contraseña contrasena senha wachtwoord heslo hasło ' +
    'parola lozinka adgangskode lösenord salasana jelszó kennwort passord mot-de-passe sandi todo tbd n/a varies manager hash hashing length policy rotation ' +
    'self props state args kwargs request response data params options body form values settings context payload record model entity result ' +
    'here below above see use uses used using there show hide visible generated random autogenerated auto automatic interactive keychain keyring pgpass netrc ' +
    'sha256 sha512 sha1 md5 bcrypt argon2 argon2id scrypt pbkdf2 base64 utf8 utf-8 hunter'
  ).split(' '),
)
const MASKED =
  /\*{3}|x{6}|\.{3}|…|•|change.?me|change.?this|(?:^|[^a-z])your(?:[^a-z]|$)|your_|your-|placeholder|redacted|^[A-Z][A-Z_]{2,40}$|^<|>$|-{6}|_{6}/
const MASKED_ANY_CASE = /change.?me|change.?this|\byour[ _-]|placeholder|redacted|example/i
/** `replace_with_secret_1`, `insert-your-key` */
const TEXT_PLACEHOLDER = /^(?:replace|insert|enter|put|add|change|set|fill)[_ -]/i

/** Code that gives the value: a call, a member, a variable. */
function isCode(value: string, isQuoted: boolean): boolean {
  if (
    /\$\{|\{\{|\}\}|<%|#\{|\$\(|^%\(|^%\w{1,60}%$|^\$[A-Za-z_]\w{0,60}$|^!\w|^&[a-z]+;?$/.test(
      value.slice(0, 300),
    )
  )
    return true
  if (isMember(value)) return true
  if (/^https?:\/\/|^\.{1,2}\/|^~\/|^[A-Za-z]:\\/.test(value)) return true
  if (/^\/(?:[a-z][\w.-]{1,40}\/){0,12}[\w.-]{1,60}$/.test(value) && isWords(value)) return true
  if (isQuoted) return false
  return (
    /^\/[\^([]|^[A-Za-z_][\w.]{0,60}\[|^[$%{<[(#@*&!|]|^(?:process|os|env|config|settings|self|this|req|request|props|options|user|secrets|vars|data|args|import|std|z|new|await|input|var|local|each|module|aws_\w+)[.[]/i.test(
      value,
    ) || /\(|=>|\?\?|\|\|/.test(value.slice(0, 200))
  )
}

/** `options2?.token`, `import_crypto5.default.createKey`: names between dots, with one number at most in each. */
function isMember(value: string): boolean {
  const names = value.replace(/[;),]{1,2}$/, '').split(/\??\./)
  return (
    names.length > 1 &&
    names.length < 10 &&
    names.every((name) => /^[A-Za-z_$]{1,60}\d{0,6}[A-Za-z_$]{0,60}$/.test(name)) &&
    names.some((name) => /^[A-Za-z_$]{3,60}\d{0,3}$/.test(name))
  )
}

/** Words and short numbers between signs, as names of things are. */
function isWords(value: string): boolean {
  return value
    .slice(0, 200)
    .split(/[-_.:/\s@+]+/)
    .every((part) => part === '' || /^(?:[A-Z]?[a-z]{1,16}|[A-Z]{1,12}|v?\d{1,4})$/.test(part))
}

/** A name in code: `nextToken`, `user_token2`, `NextToken`. */
function isIdentifier(given: string): boolean {
  const value = given.replace(/^[\W_]{1,3}|[\W_]{1,3}$/g, '')
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{1,20}$/.test(value)) return true
  if (/^[a-z]{1,20}\d{0,2}(?:_[a-z]{1,20}\d{0,2}){1,6}$/.test(value)) return true
  const capitals = value.match(/[A-Z]/g)?.length ?? 0
  return /^[a-z]{0,20}\d{0,2}(?:[A-Z][a-z]{0,20}\d{0,3}){0,8}$/.test(value) && capitals * 3 <= value.length
}

/** Letters and digits, mixed as no word or number is. `least`: so long at least. */
export function looksRandom(value: string, isQuoted = false, least = 10): boolean {
  if (value.length < least || isPlaceholder(value) || /\s|^[[{]/.test(value) || isCode(value, isQuoted))
    return false
  if (
    isWords(value) ||
    isIdentifier(value) ||
    (value.length < 16 && /^[A-Za-z][a-z]{2,14}\d{1,4}$/.test(value))
  )
    return false
  const hasDigit = /[0-9]/.test(value)
  const letters = /[A-Za-z]/.test(value)
  if (!letters) return false
  if (!hasDigit) return value.length >= 16 && isMixedCase(value)
  return entropy(value) >= 2.5
}

/** Where letters change their case as often as in no name. */
function isMixedCase(value: string): boolean {
  let changes = 0
  const piece = value.slice(0, 200)
  for (let at = 1; at < piece.length; at++)
    if (/[A-Z]/.test(piece.charAt(at)) !== /[A-Z]/.test(piece.charAt(at - 1))) changes++
  return changes * 3 >= piece.length
}

/** How a password is written, which says how surely it is one. */
interface PasswordPlace {
  isQuoted: boolean
  /** Nothing else is on its line, or a shell sets a variable: a plain word is one too. */
  isAlone: boolean
}

/** What a person may have chosen; no type, label, variable or stand-in. */
export function looksLikePassword(value: string, { isQuoted, isAlone }: PasswordPlace): boolean {
  const lower = value.toLowerCase()
  if (value.length < 4 || value.length > 400 || new Set(value).size < 3) return false
  if (NO_PASSWORD.has(lower.replace(/[;:,.!?]{1,3}$/, '')) || isCode(value, isQuoted)) return false
  if (
    /^[\^~]?v?\d{1,4}(?:\.\d{1,4}){1,3}$|^0x[0-9a-f]{1,8}$|%[sdr]|\{\w{0,20}\}|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/i.test(
      value,
    )
  )
    return false
  if (MASKED.test(value) || MASKED_ANY_CASE.test(value) || TEXT_PLACEHOLDER.test(value)) return false
  if (/\s/.test(value)) return isQuoted && isPassphrase(value, isAlone)
  const hasOther = /[^A-Za-z\u0080-\uffff]/.test(value)
  if (!hasOther) {
    if (isAlone) return value.length >= 4 && !/^[A-Z][a-z]+$/.test(value) && !namesPassword(value)
    // in quotes and small: a label begins with a capital, or is of another language
    return (
      isQuoted && /^[a-z]/.test(value) && !/[\u0080-\uffff]/.test(value) && !isIdentifierOfPassword(value)
    )
  }
  if (isAlone || isQuoted) return !isIdentifierOfPassword(value) && !/^[-–—=_.,:;|/\\\s]+$/.test(value)
  return (
    value.length >= 6 &&
    /[0-9!#%^*+~@$?]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !isIdentifier(value) &&
    !namesPassword(value)
  )
}

/** Small words only, and none that a sentence needs. */
function isPassphrase(value: string, isAlone: boolean): boolean {
  const words = value.split(/\s+/)
  if (words.length > 24 || /[\r\n]/.test(value)) return false
  if (/\d/.test(value) && words.length <= 3 && !/[.:?]$/.test(value))
    return !words.some((word) => SENTENCE.test(word))
  if (words.some((word) => SENTENCE.test(word))) return false
  return isAlone || (words.length >= 3 && words.every((word) => /^[a-z]{2,14}$/.test(word)))
}

const SENTENCE =
  /^(?:the|a|an|is|are|was|must|should|can|cannot|has|have|be|to|of|for|your|you|at|in|on|or|and|not|with|least|than|enter|confirm|forgot|reset|new|current|password|passwords|passwort|characters|please|required|invalid|wrong|de|la|le|el|do|que|und|oder|mot|passe|please|field|value|from|this|that|it|as|if|by)[.,:;!?]?$/i

function namesPassword(value: string): boolean {
  return (
    /pass(?:word|wd|phrase)?|pwd|secret|token|credential/i.test(value) &&
    /^[A-Za-z_]+\d{0,2}$/.test(value) &&
    (value.length < 12 || /_|[a-z][A-Z]/.test(value))
  )
}

/** `newPassword`, `user.password`, `old_password`: the name of one. */
function isIdentifierOfPassword(value: string): boolean {
  return /(?:[a-z_.-](?:Password|_password|-password|\.password|Secret|_secret|Token|_token)|^password[A-Z_][A-Za-z_]*)$/.test(
    value,
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

const PLACEHOLDER_WORDS =
  /example|placeholder|redacted|changeme|change[-_]me|your[-_]?|dummy|sample|insert|replace|x{6}|\*{3}|\.{3}|-{6}|_{6}|0{8}|1234567890abcdef|abcdefghijkl/i

/** Stands where a secret would: documentation, templates, masked values. A secret has at least six different characters. */
export function isPlaceholder(value: string): boolean {
  return new Set(value.slice(0, 200)).size < 6 || PLACEHOLDER_WORDS.test(value.slice(0, 4000))
}
