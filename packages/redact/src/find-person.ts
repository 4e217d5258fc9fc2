import type { FindAt, Span } from './changes.ts'

/** What names a person or a computer by its form: home folders, and names that systems make. */
export const PERSON_LITERALS: [literal: string, find: FindAt][] = [
  ...['home', 'Users', 'users', 'USERS', 'Documents and Settings'].map((word): [string, FindAt] => [
    word,
    (text, at, spans) => addHome(text, at, word, spans),
  ]),
  ...['DESKTOP-', 'LAPTOP-', 'MacBook', 'iMac', 'Mac-mini', 'Mac-Studio'].map((word): [string, FindAt] => [
    word,
    addComputer,
  ]),
]

/** Prompts of shells, which name both. */
export function findPrompts(text: string, spans: Span[]): void {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) addPrompt(text, at, spans)
}

/** Folders beside those of people. */
const NOBODY =
  /^(?:shared|public|default|default user|all users|user|users|username|user_name|your[-_]?(?:user)?name|you|me|name|runner|node|linuxbrew|app|\.\.\.|\$.*|<.*|\{.*)$/i
const SIGN_BEFORE = /(?:\/|\\{1,8}|%2F|%5C|%255C|%252F)$/i
const SIGN_AFTER = /(?:\/|\\{1,8}|%2F|%5C|%255C|%252F)/iy
const PERSON =
  /[A-Za-z0-9_\u00a1-\uffff](?:[A-Za-z0-9_.\u00a1-\uffff-]{0,62}[A-Za-z0-9_\u00a1-\uffff-])?(?:\$(?=\\))?/y
const PERSON_IN_SLUG = /[A-Za-z0-9_.\u00a1-\uffff]{1,64}/y
/** Further words of a name with blanks; a separator must follow. */
const MORE_WORDS = /(?:(?: |%20)[A-Za-z0-9_.\u00a1-\uffff-]{1,40}){1,3}(?=\\|\/|%5C|%2F)/iy
/** Where homes are on other systems and mounts. */
const MOUNT =
  /(?:(?:\/|\\{1,8}|%2F)(?:var|export|usr|nfs|net|data|private|vol[0-9]*|afs|srv|remote|storage|shared|opt|cygdrive\/[a-z]|mnt(?:\/[\w.-]{1,30})?|media\/[\w.-]{1,30}|Volumes\/[^/\n"']{1,40}|System\/Volumes\/Data|host_mnt(?:\/[a-z])?|run\/host|host|rootfs|wsl(?:\$|\.localhost)(?:[\\/]{1,8}[\w.-]{1,30}))|(?:\/|%2F)[a-z]|[A-Za-z](?::|%3A))$/i
const DRIVE = /(?:[A-Za-z](?::|%3A)|\/(?:mnt|cygdrive|host_mnt)\/[a-z]|\/[a-z]|%2Fmnt%2F[a-z])$/i

function addHome(text: string, at: number, word: string, spans: Span[]): void {
  const sign = text.charCodeAt(at - 1)
  if (sign === 45) {
    addSlug(text, at, word, spans)
    return
  }
  const before = text.slice(Math.max(0, at - 70), at)
  const opening = SIGN_BEFORE.exec(before)
  SIGN_AFTER.lastIndex = at + word.length
  if (opening === null || !SIGN_AFTER.test(text)) return
  const nameStart = SIGN_AFTER.lastIndex
  const folder = before.slice(0, opening.index)
  const mount = MOUNT.exec(folder)
  if (word !== 'home' && word !== 'Users' && !DRIVE.test(folder)) return
  const isRoot = !/[A-Za-z0-9_.)\]}$*~-]$/.test(folder) || /\\[nrt]$/.test(folder)
  if (!isRoot && mount === null) return
  PERSON.lastIndex = nameStart
  const name = PERSON.exec(text)?.[0]
  if (name === undefined || NOBODY.test(name)) return
  let end = PERSON.lastIndex
  if (word !== 'home') {
    MORE_WORDS.lastIndex = end
    if (MORE_WORDS.test(text)) end = MORE_WORDS.lastIndex
  }
  if (NOBODY.test(text.slice(nameStart, end))) return
  const start = at - opening[0].length - (mount?.[0].length ?? 0)
  spans.push({
    kind: 'home',
    name: 'home folder',
    start,
    end,
    replacement: '~',
    learned: text.slice(nameStart, end),
  })
}

/** `-home-ada-code`, `C--Users-ada-code`: paths as names of folders. */
function addSlug(text: string, at: number, word: string, spans: Span[]): void {
  if (text.charCodeAt(at + word.length) !== 45) return
  const before = text.slice(Math.max(0, at - 20), at)
  if (
    !/(?:^|[^A-Za-z0-9_-]|\\[nrt])(?:[A-Za-z]-{1,2}|-{1,2}(?:var-|export-|usr-|mnt-[a-z]-|Volumes-\w{1,20}-)?)$/.test(
      before,
    )
  )
    return
  PERSON_IN_SLUG.lastIndex = at + word.length + 1
  const name = PERSON_IN_SLUG.exec(text)?.[0]
  if (name === undefined || NOBODY.test(name)) return
  const start = at + word.length + 1
  spans.push({
    kind: 'user',
    name: 'user name',
    start,
    end: start + name.length,
    replacement: '[user]',
    learned: name,
  })
}

const BEFORE_PROMPT = /(?:^|[\s[("'`]|\\n|m)([a-z_][a-z0-9_.-]{0,31})$/
const PROMPT =
  /@([A-Za-z0-9][A-Za-z0-9-]{1,62})(?:\.[a-z0-9.-]{1,60})?(?::(?:~|\/)[^\s$#%]{0,100}[$#%] | (?:~|\/)[^\s$#%\]]{0,100}(?:\][$#]|[ ]?[%$#]) )/y

/** `ada@engine:~/shop$ `, `[ada@engine ~]$ `, `ada@engine ~ % `. */
function addPrompt(text: string, at: number, spans: Span[]): void {
  PROMPT.lastIndex = at
  const host = PROMPT.exec(text)?.[1]
  if (host === undefined) return
  const user = BEFORE_PROMPT.exec(text.slice(Math.max(0, at - 34), at))?.[1]
  if (user === undefined) return
  if (!isCommonUser(user))
    spans.push({
      kind: 'user',
      name: 'user name',
      start: at - user.length,
      end: at,
      replacement: '[user]',
      learned: user,
    })
  if (!isCommonHost(host))
    spans.push({
      kind: 'host',
      name: 'host name',
      start: at + 1,
      end: at + 1 + host.length,
      replacement: '[host]',
      learned: host,
    })
}

const COMPUTER =
  /^(?:(?:DESKTOP|LAPTOP)-[A-Z0-9]{6,9}|[A-Za-z][A-Za-z0-9]{1,30}(?:-[A-Za-z0-9]{1,20}){0,3}-(?:MacBook(?:-(?:Pro|Air))?|iMac(?:-Pro)?|Mac-mini|Mac-Studio)(?:-[0-9]{1,3})?)(?![A-Za-z0-9])/

function addComputer(text: string, at: number, spans: Span[]): void {
  let start = at
  while (start > 0 && at - start < 60 && /[A-Za-z0-9-]/.test(text.charAt(start - 1))) start--
  if (/\\[nrt]/.test(text.slice(Math.max(0, start - 1), start + 1))) start++
  const name = COMPUTER.exec(text.slice(start, at + 40))?.[0]
  if (name !== undefined && start + name.length > at)
    spans.push({
      kind: 'host',
      name: 'host name',
      start,
      end: start + name.length,
      replacement: '[host]',
      learned: name,
    })
}

const COMMON_USERS = new Set(
  'root admin administrator user test tests testing code dev developer build builder app apps src lib bin home work worker workspace workspaces project projects data tmp temp docs main master ubuntu debian fedora centos alpine ec2-user vagrant node runner www www-data git docker postgres mysql redis mongo nginx apache jenkins circleci vscode codespace gitpod coder pi me you public shared default guest demo example sample local server service system web api config index page pages page.tsx index.html style styles component components static assets static images img css js view views model models controller controllers settings login logout profile account dashboard about contact help search feed news team shop store cart list item items new old all any none deploy deployer ci bot agent nobody daemon sshd backup oracle hadoop spark airflow jovyan sandbox container linuxbrew opc azureuser cloud-user bitnami core nixos arch manjaro steam deck gemini claude cursor'.split(
    ' ',
  ),
)

/** A word that is no person in a text of code: not looked for beyond where it was found. */
export function isCommonUser(name: string): boolean {
  return name.length < 2 || COMMON_USERS.has(name.toLowerCase())
}

export function isCommonHost(name: string): boolean {
  return (
    /^(?:localhost|host|hostname|server|machine|computer|pc|laptop|desktop|web|db|app|github|gitlab|bitbucket|ubuntu|debian|fedora|[0-9a-f]{12}|\d+)$/i.test(
      name,
    ) || name.length < 2
  )
}

/**
 * What a name says of the value under it. `password`: a person may have chosen it. `secret`: a program made it, so it looks
 * random. `query`: as `secret`, but only in the query of an address.
 */
export type NameKind = 'password' | 'secret' | 'authorization' | 'cookie' | 'query'

const SUFFIX =
  /(?:_?\d{1,3}|_(?:prod|production|dev|development|stag|stage|staging|test|testing|live|local|old|new|current|value|val|string|str|confirm|confirmation|repeat|b64|base64|plain|plaintext|text|backup|primary|secondary|rw|ro|main|default|admin|root))$/
const PASSWORD =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|passwrd|pswd|userpass)s?$|(?:^|_)(?:pwd|pw|psk|passw|pass|senha|contrasena|mnemonic|seed_phrase|recovery_phrase|(?:recovery|backup)_codes?)$|(?:db|database|pg|postgres|my|mysql|smtp|imap|mail|email|ftp|ssh|vpn|http|proxy|root|admin|user|login|key|store|ldap|bind|sudo|become|repl|redis|mongo|sql|sa|wifi|wpa|cert|p12|pfx|ts|trust|auth|basic|dest|src|new|old)_?(?:pass|pw|pwd|psk)$|pre_?shared_?key$|(?:^|_)snmp_community$/
const SECRET =
  /(?:secret|token|jwt|bearer|credential|credentials|creds|apikey|authkey|accesskey|secretkey|privatekey|masterkey|signingkey|encryptionkey|accountkey|subscriptionkey|licensekey|appkey)s?$|(?:^|_)(?:auth|sas|totp|otp_seed|nonce_secret|secret_?key_?base|key_base|client_key_data|key_data|webhook_?url_?secret|storage_?connection|sas_url)$|(?:^|_)(?:api|access|private|account|auth|authorization|encryption|encrypt|decryption|service|master|license|licence|secret|signing|signature|sign|shared|storage|subscription|app|application|deploy|client|server|ssh|webhook|integration|write|ingest|ingestion|admin|consumer|hmac|jwt|aes|cookie|cipher|crypto|root|recovery|activation|registration|shared_access|functions?|tunnel|validation|unseal|instrumentation|merchant|wallet)_?keys?$/
/** Of pages, counts and what everybody may read. */
const OPEN =
  /(?:^|_)(?:next|prev|previous|page|continuation|cursor|sync|cancel|cancellation|max|min|num|total|output|input|prompt|completion|thought|cached|publishable|public|pub|idempotency|cache|etag|css|design|primary|foreign|sort|partition|site|lock|request|question|readonly)(?:_|$)/
const QUERY =
  /^(?:code|sig|signature|key|hmac|session|sid|session_id|ticket|assertion|samlresponse|samlrequest|otp|pin|auth|hash|state_token|x_(?:amz|goog|ms|oss|cos)_(?:signature|credential|algorithm_signature)|policy)$/
const ENVIRONMENT_KEY = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_KEY(?:_[A-Z0-9]+)?$/
const AUTHORIZATION = /^(?:proxy_|http_|x_|x_http_)?authorization$/
const COOKIE = /(?:^|_)cookies?$/

const MOST_REMEMBERED = 20_000
const remembered = new Map<string, NameKind | null>()

/** null: nothing is told of the value. */
export function nameKind(name: string): NameKind | null {
  const known = remembered.get(name)
  if (known !== undefined) return known
  if (remembered.size > MOST_REMEMBERED) remembered.clear()
  const kind = name.length > 80 ? null : classify(name)
  remembered.set(name, kind)
  return kind
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

const NO_NAME = { name: '', start: 0, isQuoted: false }
const NAME = /[A-Za-z0-9_.-]/
const MOST_NAME = 64

/** The last four letters of all names that say something, as bits: most names end otherwise, and are not read. */
const ENDINGS = new Int32Array(1 << 15)
/** One of each five bits. */
const LETTERS = [...'\0abcdefghijklmnopqrstuvwxyz{|}~_']
for (const ending of 'word ords sswd swds rase ases code odes wort pass enha sena onic cret rets oken kens arer tial ials reds auth seed data base tion okie kies ture cket onse hash licy alue firm peat hmac ring ault str pwd psk jwt key eys sig sid pin otp sas pw'.split(
  ' ',
))
  for (const whole of preceded(ending)) {
    const hash = hashOf(whole, 4)
    ENDINGS[hash >> 5] = (ENDINGS[hash >> 5] ?? 0) | (1 << (hash & 31))
  }

function preceded(ending: string): string[] {
  return ending.length === 4 ? [ending] : LETTERS.flatMap((letter) => preceded(letter + ending))
}

/** Of the four letters before `end`. */
function hashOf(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 4) & 31) << 15) |
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  )
}

/** Whether a name that ends before `end` may say something. */
function mayEndName(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1)
  // capitals and digits: a variable of the environment, or a numbered one
  if (last < 97 || last > 122) return true
  const hash = hashOf(text, end)
  return (((ENDINGS[hash >> 5] ?? 0) >>> (hash & 31)) & 1) === 1
}

/** The name that ends before `at`, also in quotes, brackets or escapes, and where it begins. '' where none does. */
export function nameBefore(text: string, at: number): { name: string; start: number; isQuoted: boolean } {
  let end = at
  const limit = Math.max(0, at - 12)
  let isQuoted = false
  for (; end > limit; end--) {
    const character = text.charCodeAt(end - 1)
    // blank, tab, quotes, backslash, closing bracket, question mark and exclamation mark of types
    if (character === 34 || character === 39 || character === 96) isQuoted = true
    else if (
      character !== 32 &&
      character !== 9 &&
      character !== 92 &&
      character !== 93 &&
      character !== 63 &&
      character !== 33
    )
      break
  }
  if (!isNameCode(text.charCodeAt(end - 1)) || !mayEndName(text, end)) return NO_NAME
  let start = end
  const limitOfName = Math.max(0, end - MOST_NAME)
  while (start > limitOfName && isNameCode(text.charCodeAt(start - 1))) start--
  // an `n` behind a backslash is a line's end
  if (start > 0 && text.charCodeAt(start - 1) === 92 && /[nrt]/.test(text.charAt(start))) start++
  const first = text.charCodeAt(start)
  // a number is none, nor is a letter
  if (end - start < 2 || (first >= 48 && first <= 57)) return NO_NAME
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

/** The word before a name that is divided by a blank: `API key`, `access token`. */
export function widerName(text: string, name: string, start: number): string {
  if (text.charAt(start - 1) !== ' ' || !/^(?:key|token|code|phrase)s?$/i.test(name)) return name
  let begin = start - 1
  const first = Math.max(0, begin - 24)
  while (begin > first && NAME.test(text.charAt(begin - 1))) begin--
  return `${text.slice(begin, start - 1)}_${name}`
}
