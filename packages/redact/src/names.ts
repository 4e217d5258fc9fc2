import type { SecretKind } from './judge.ts'

/** What a name implies about its value. `query`: a secret, but only in a query string. */
export type NameKind = SecretKind | 'authorization' | 'cookie' | 'query'

/** Names are compared in snake case. These suffixes say nothing about the value. */
const SUFFIX =
  /(?:_?\d{1,3}|_(?:prod|production|dev|development|stag|stage|staging|test|testing|live|local|old|new|current|value|val|string|str|confirm|confirmation|repeat|b64|base64|plain|plaintext|text|backup|primary|secondary|rw|ro|main|default|admin|root))$/
const PASSWORD = new RegExp(
  [
    '(?:password|passwd|passphrase|passcode|passwort|kennwort|passwrd|pswd|userpass)s?$',
    '(?:^|_)(?:pwd|pw|psk|passw|pass|senha|contrasena|mnemonic|seed_phrase|recovery_phrase|(?:recovery|backup)_codes?|snmp_community)$',
    '(?:db|database|pg|postgres|my|mysql|smtp|imap|mail|email|ftp|ssh|vpn|http|proxy|root|admin|user|login|key|store|ldap|bind|sudo|become|repl|redis|mongo|sql|sa|wifi|wpa|cert|p12|pfx|ts|trust|auth|basic|dest|src|new|old|require|rabbitmq)_?(?:pass|pw|pwd|psk)$',
    'pre_?shared_?key$|(?:^|_)key_material$',
  ].join('|'),
)
const SECRET = new RegExp(
  [
    '(?:secret|token|jwt|bearer|credential|cred|apikey|authkey|accesskey|secretkey|privatekey|masterkey|signingkey|encryptionkey|accountkey|subscriptionkey|licensekey|appkey)s?$',
    '(?:^|_)(?:auth|sas|totp|phpsessid|jsessionid|connect_sid|laravel_session|(?:bw|op)_session|code_verifier|otp_seed|nonce_secret|secret_?key_?base|key_base|client_key_data|key_data|webhook_?url_?secret|storage_?connection|sas_url)$',
    '(?:^|_)(?:api|access|private|account|auth|authorization|encryption|encrypt|decryption|service|master|license|licence|secret|signing|signature|sign|shared|storage|subscription|app|application|deploy|client|server|ssh|webhook|integration|write|ingest|ingestion|admin|consumer|hmac|jwt|aes|cookie|cipher|crypto|root|recovery|activation|registration|shared_access|functions?|tunnel|validation|unseal|instrumentation|merchant|wallet)_?keys?$',
  ].join('|'),
)
const ENVIRONMENT_KEY = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_KEY(?:_[A-Z0-9]+)?$/
/** Names of pagination, counters and public values. */
const OPEN =
  /(?:^|_)(?:next|prev|previous|page|continuation|cursor|sync|cancel|cancellation|max|min|num|total|output|input|prompt|completion|thought|cached|publishable|public|pub|idempotency|cache|etag|css|design|primary|foreign|sort|partition|site|lock|request|question|readonly)(?:_|$)/
const QUERY =
  /^(?:code|sig|signature|key|hmac|session|sid|session_id|ticket|assertion|samlresponse|samlrequest|otp|pin|auth|hash|state_token|x_(?:amz|goog|ms|oss|cos)_(?:signature|credential)|policy)$/
const AUTHORIZATION = /^(?:proxy_|http_|x_|x_http_)?authorization$/
const COOKIE = /(?:^|_)cookies?$/

const MOST_REMEMBERED = 20_000
const remembered = new Map<string, NameKind | null>()

/** null if the name implies nothing about the value. */
export function nameKind(name: string): NameKind | null {
  const known = remembered.get(name)
  if (known !== undefined) return known
  if (remembered.size > MOST_REMEMBERED) remembered.clear()
  const kind = name.length > 80 ? null : classify(name)
  remembered.set(name, kind)
  return kind
}

/** The kind if the name implies a secret in any context. */
export function secretKind(name: string): SecretKind | null {
  const kind = nameKind(name)
  return kind === 'password' || kind === 'secret' ? kind : null
}

function classify(name: string): NameKind | null {
  let words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  for (let times = 0; times < 3 && SUFFIX.test(words); times++) words = words.replace(SUFFIX, '')
  if (AUTHORIZATION.test(words)) return 'authorization'
  if (COOKIE.test(words)) return 'cookie'
  if (PASSWORD.test(words)) return 'password'
  if (OPEN.test(words)) return null
  if (SECRET.test(words) || ENVIRONMENT_KEY.test(name)) return 'secret'
  return QUERY.test(words) ? 'query' : null
}

/** A shell variable. */
export function isVariable(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name)
}

export interface FoundName {
  name: string
  start: number
  isQuoted: boolean
}

const MOST_NAME = 64
/** The last three letters of all known names, five bits each. Most other names end differently and are skipped. */
const ENDINGS = new Uint8Array(1 << 15)
for (const ending of 'ord rds swd wds ase ses ode des ort pwd pw psk ass ssw nha ena nic cret ets ken ens rer ial als red eds key eys jwt uth sas otp ata eed igned ture sig mac sid pin cket ion nse est hash icy okie ies lue ult ret tr al rm od ev ag st ng ve old ew in xt up ry rw ro oot eat wrd ity url _id nid ier'.split(
  ' ',
))
  for (const whole of ending.length > 2
    ? [ending.slice(-3)]
    : [...'\0abcdefghijklmnopqrstuvwxyz{|}~_'].map((letter) => letter + ending))
    ENDINGS[endingOf(whole, 3)] = 1

function endingOf(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  )
}

/** The name that ends before `at`, possibly in quotes or brackets. null if there is none, or if it implies nothing. */
export function nameBefore(text: string, at: number): FoundName | null {
  let end = at
  let isQuoted = false
  for (const limit = Math.max(0, at - 12); end > limit; end--) {
    const sign = text.charCodeAt(end - 1)
    if (sign === 34 || sign === 39 || sign === 96) isQuoted = true
    // space, tab, closing bracket; question and exclamation marks of types
    else if (sign !== 32 && sign !== 9 && sign !== 93 && sign !== 63 && sign !== 33) break
  }
  const last = text.charCodeAt(end - 1)
  if (!isNameCode(last)) return null
  // a name ending in a capital or a digit may be an environment variable or numbered
  if (last >= 97 && last <= 122 && ENDINGS[endingOf(text, end)] === 0) return null
  let start = end
  for (const limit = Math.max(0, end - MOST_NAME); start > limit && isNameCode(text.charCodeAt(start - 1)); )
    start--
  // neither a number nor a single letter is a name
  if (end - start < 2 || /[0-9]/.test(text.charAt(start))) return null
  return { name: text.slice(start, end), start, isQuoted }
}

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  )
}

/** Includes the word before a name with a space in it: `API key`, `access token`. */
export function widerName(text: string, { name, start }: FoundName): string {
  if (text.charAt(start - 1) !== ' ' || !/^(?:key|token|code|phrase)s?$/i.test(name)) return name
  const before = /[\w.-]{1,24}$/.exec(text.slice(Math.max(0, start - 25), start - 1))?.[0] ?? ''
  return `${before}_${name}`
}
