import { type FindAt, type Span, secretSpan } from './change.ts'
import { addSecret } from './find-assignments.ts'
import { addColumns, addCopied, addHtmlColumns } from './find-columns.ts'
import { addCookieLine } from './find-headers.ts'
import { isSecretValue, looksRandom, type ValueContext } from './judge.ts'
import { secretKind } from './names.ts'
import { PLACE_RULES, type PlaceRule, type Sureness } from './places.ts'
import { readValue } from './read-value.ts'

const all = (words: string, find: (text: string, at: number, word: string, spans: Span[]) => void) =>
  words.split('|').map((word): [string, FindAt] => [word, (text, at, spans) => find(text, at, word, spans)])

/** Secrets in statements, commands and sentences, by the keyword before them. */
export const PLACE_LITERALS: readonly [literal: string, find: FindAt][] = [
  ...PLACE_RULES.flatMap((rule) =>
    rule.words.map((word): [string, FindAt] => [
      word,
      (text, at, spans) => addPlaced(text, at, word, rule, spans),
    ]),
  ),
  ...all(
    'PASSWORD|password|Password|passwd|Passwort|Kennwort|passphrase|Passphrase|secret|passcode|PSK|psk|pw|pwd',
    addBare,
  ),
  ...all('token |Token |TOKEN |key |Key |bearer |Bearer |BEARER ', addSaid),
  ...all(
    'chpasswd|--password-stdin|sudo -S|sudo --stdin|passwd --stdin|--with-token|cryptsetup |--pass-stdin|gpg --batch|--passphrase-fd|kinit |smbpasswd|gh secret set|gh auth login|docker login|secret create|secrets create|secrets versions|wrangler secret|passwd ',
    addPiped,
  ),
  ...all(
    'setx |SETX |setenv |ENV |ARG |set -|#define |SetEnv |fastcgi_param |config set |configure set |secret set |secrets set |git config |npm set |env add |config add ',
    addSetting,
  ),
  ...all('kind: Secret|"kind": "Secret"|"kind":"Secret"', addSecretData),
  ...all('\tTRUE\t/|\tFALSE\t/', (text, at, _, spans) => addCookieLine(text, at, spans)),
  ...all(
    'INSERT INTO |insert into |Insert into |INSERT IGNORE INTO |REPLACE INTO |replace into ',
    addInserted,
  ),
  ...all('PASS |pass ', addProtocolPassword),
  ...all('user |USER ', addUserLine),
  ...all('as the |as my |as a |as your |is the |is my |is your ', addSaidBefore),
  ...all('ecovery codes|ackup codes|RECOVERY CODES|BACKUP CODES', addCodes),
  ...all('"kty"', addJsonWebKey),
  ...all(
    'password|Password|PASSWORD|passwd|pwd|pass|Pass|PASS|asswort|token|Token|TOKEN|secret|Secret|SECRET|key|Key|KEY',
    (text, at, word, spans) => addColumns(text, at + word.length, spans),
  ),
  ...all('COPY |copy ', addCopied),
  ...all('</th>|</TH>', (text, at, _, spans) => addHtmlColumns(text, at, spans)),
]

function beginsWord(text: string, at: number): boolean {
  return !/\w/.test(text.charAt(at - 1)) || !/\w/.test(text.charAt(at))
}

function addPlaced(
  text: string,
  at: number,
  word: string,
  { sureness, form }: PlaceRule,
  spans: Span[],
): void {
  if (!beginsWord(text, at)) return
  form.lastIndex = at
  const found = form.exec(text)
  const value = found?.slice(1).find((group) => group !== undefined)
  if (found === null || value === undefined || /^\w{1,40}=[^=]|^[A-Za-z_]{1,40}=$/.test(value)) return
  const place = found[0].lastIndexOf(value)
  const isQuoted = /["'`]$/.test(found[0].slice(0, place))
  const isAlone = sureness === 'sure' || (sureness === 'quoted' && isQuoted)
  if (!isPlaced(sureness, value, { isQuoted, isAlone })) return
  // words alone are some other argument
  if (word.endsWith('(') && !/[^A-Za-z_. -]/.test(value)) return
  spans.push(secretSpan('password', at + place, value.length))
}

function isPlaced(sureness: Sureness, value: string, written: ValueContext): boolean {
  if (sureness === 'made') return !/\byour\b|^\[redacted|<|\*{3}|x{6}/i.test(value)
  if (sureness === 'said') return isSaidPassword(value)
  return isSecretValue(sureness === 'random' ? 'secret' : 'password', value, written)
}

/** In a sentence it must not be a word, a number or an identifier. */
function isSaidPassword(value: string): boolean {
  return (
    /[0-9]/.test(value) &&
    !/[=:/[\]{}]/.test(value) &&
    looksRandom(value, false, 7) &&
    /[a-z].*[A-Z]|[A-Z].*[a-z]|[!#%^*+~@$?]|\d.*[a-z].*\d|^[a-z]{4,}\d{2,}$/.test(value)
  )
}

const BARE =
  /(?:[ \t]{1,4}(?:for|of)[ \t]{1,4}[^\s]{1,60})?[ \t]{1,8}(?:(?:is|was|=|to):?[ \t]{1,4})?([^\s"'`;|&<>()\\,-][^\s"'`;|&<>()\\,]{2,200})/y
/** As in `.netrc`, and the arguments of `nmcli`. */
const OF_LOGIN =
  /\b(?:machine|default)\s+\S{1,100}(?:\s+\S{1,100}){0,4}\s*$|\b(?:login|wifi connect)\s+\S{1,100}\s*$/

/** `my password is …`: in a sentence the value must not be a word itself. */
function addBare(text: string, at: number, word: string, spans: Span[]): void {
  if (!beginsWord(text, at)) return
  BARE.lastIndex = at + word.length
  const found = BARE.exec(text)?.[1]
  if (found === undefined) return
  const value = found.replace(/[.,:!?]$/, '')
  const isOfLogin = /^passw(?:or)?d$/.test(word) && OF_LOGIN.test(text.slice(Math.max(0, at - 240), at))
  const isSecret = isOfLogin
    ? isSecretValue('password', value, { isQuoted: false, isAlone: true, least: 10 })
    : isSaidPassword(value)
  if (isSecret) spans.push(secretSpan('password', BARE.lastIndex - found.length, value.length))
}

const SAID = /(?:(?:is|was|here|now)[: ]\s{0,2}){0,2}([A-Za-z0-9._~+/=-]{16,4000})/y

/** `Bearer …`, `the token is …`, `api key …`: a value that is not a word, a commit or a file. */
function addSaid(text: string, at: number, word: string, spans: Span[]): void {
  SAID.lastIndex = at + word.length
  const found = SAID.exec(text)?.[1] ?? ''
  const value = found.replace(/[.]$/, '')
  if (!looksRandom(value, false, 16) || /^[0-9a-f]{40}$|\/.*\/.*\.|\.[a-z0-9]{2,4}$/.test(value)) return
  spans.push(secretSpan('value named as a secret', SAID.lastIndex - found.length, value.length))
}

const ECHO =
  /(?:echo|printf|print|Write-Output)\s{1,4}(?:-n\s{1,4}|-e\s{1,4}|-ne\s{1,4}|["']%s(?:\\n)?["']\s{1,4}|["']%s:%s(?:\\n)?["']\s{1,4}){0,2}(?:"([^"\r\n]{3,400})"|'([^'\r\n]{3,400})'|([^\s"'|<>&;]{3,400}))\s{0,4}\|[^|\n]{0,120}$/
const HERE = /[^\n]{0,160}?<<<\s{0,4}(?:"([^"\r\n]{3,400})"|'([^'\r\n]{3,400})'|([^\s"'|<>&;]{3,400}))/y

/** `echo secret | tool`, `tool <<< secret`. */
function addPiped(text: string, at: number, word: string, spans: Span[]): void {
  const around = text.slice(Math.max(0, at - 500), at)
  const before = around.slice(around.lastIndexOf('\n') + 1)
  const echoed = ECHO.exec(before)
  HERE.lastIndex = at
  const found = echoed ?? HERE.exec(text)
  if (found === null) return
  const whole = found[1] ?? found[2] ?? found[3] ?? ''
  if (whole.startsWith('[redacted')) return
  // passwd reads it twice, on one line each
  const said = word === 'passwd ' ? (whole.split(/\\n|\n/)[0] ?? '') : whole
  const value = word === 'chpasswd' ? said.slice(said.indexOf(':') + 1) : said
  if (!isSecretValue('password', value, { isQuoted: true, isAlone: true })) return
  const start = echoed === null ? at : at - before.length + echoed.index
  spans.push(secretSpan('password', start + found[0].lastIndexOf(value), value.length))
}

const SETTING =
  /(?:--?[\w-]{1,30}(?:=[^\s]{1,60})?\s{1,4}){0,4}["']?([A-Za-z/][\w./:@-]{1,120})["']?(?:\s{1,4}(?:--body|-b|--value)?[= ]?\s{0,4}|=)/y

/** `setx API_KEY …`, `ENV DB_PASSWORD …`, `config set x.token …`. */
function addSetting(text: string, at: number, word: string, spans: Span[]): void {
  SETTING.lastIndex = at + word.length - (word.endsWith('-') ? 1 : 0)
  const name = SETTING.exec(text)?.[1]?.replace(/^.*:/, '')
  const kind = name === undefined ? null : secretKind(name)
  // without quotes it is a number in a header file
  if (word === '#define ' && !text.slice(SETTING.lastIndex - 1, SETTING.lastIndex + 1).includes('"')) return
  const value = kind && readValue(text, SETTING.lastIndex, 'argument')
  if (kind !== null && value !== null && !value.text.startsWith('-'))
    addSecret(kind, { ...value, isQuoted: true }, { isAlone: true }, spans)
}

const DATA = /(?:^|\n)(?:data|stringData):[ \t]*(?=[\r\n])|"(?:data|stringData)"\s{0,2}:\s{0,2}\{/g
const DATA_LINE =
  /(?:^|[\r\n])[ \t]{1,12}[\w.-]{1,80}:[ \t]{1,4}["']?([^\s"']{4,8000})["']?(?=[ \t]*(?:$|[\r\n]))/g
const DATA_FIELD = /"[\w.-]{1,80}"\s{0,2}:\s{0,2}"([^"\s]{4,8000})"/g

/** All values of a Kubernetes Secret, whatever their names, within its own document of the file. */
function addSecretData(text: string, at: number, _: string, spans: Span[]): void {
  const before = text.slice(Math.max(0, at - 4000), at)
  const from = at - before.length + Math.max(0, before.lastIndexOf('---'), before.lastIndexOf('kind'))
  const next = text.slice(at + 8, at + 8000).search(/kind"?:|---/)
  const around = text.slice(from, next === -1 ? at + 8000 : at + 8 + next)
  for (const { index, 0: mark } of around.matchAll(DATA)) {
    const start = index + mark.length
    const isJson = mark.endsWith('{')
    const rest = around.slice(start, start + 8000)
    const end = isJson ? rest.indexOf('}') : rest.search(/\n(?:[A-Za-z-]|$)/)
    for (const found of rest
      .slice(0, end === -1 ? rest.length : end)
      .matchAll(isJson ? DATA_FIELD : DATA_LINE)) {
      const value = found[1] ?? ''
      if (/^[|>{[$]/.test(value)) continue
      spans.push(
        secretSpan(
          'value of a secret',
          from + start + found.index + found[0].lastIndexOf(value),
          value.length,
        ),
      )
    }
  }
}

const INSERTED =
  /(?:insert|replace) (?:ignore )?into\s{1,4}[\w."`[\]]{1,100}\s{0,4}\(([^()]{2,600})\)\s{0,8}values\s{0,8}/iy
const ROW = /\s{0,8},?\s{0,8}\(((?:[^()'"]|'[^'\n]{0,400}'|"[^"\n]{0,400}"){2,2000})\)/y
const CELL = /\s*(?:'([^'\n]*)'|"([^"\n]*)"|[^,]+)/g

/** `INSERT INTO t (name, password) VALUES ('bob', '…')`: by column name. */
function addInserted(text: string, at: number, _: string, spans: Span[]): void {
  INSERTED.lastIndex = at
  const kinds =
    INSERTED.exec(text)?.[1]
      ?.split(',')
      .map((column) => secretKind(column.replace(/\W/g, ''))) ?? []
  if (kinds.every((kind) => kind === null)) return
  ROW.lastIndex = INSERTED.lastIndex
  for (let row = ROW.exec(text)?.[1]; row !== undefined; row = ROW.exec(text)?.[1]) {
    const start = ROW.lastIndex - 1 - row.length
    for (const [column, { index, 0: cell, 1: single, 2: double }] of [...row.matchAll(CELL)].entries()) {
      const kind = kinds[column]
      const value = single ?? double ?? ''
      if (kind != null && value !== '')
        addSecret(
          kind,
          { text: value, start: start + index + cell.indexOf(value), isQuoted: true },
          { isAlone: true },
          spans,
        )
    }
  }
}

/** What precedes and follows a password line in FTP, POP3 and IRC, including prefixes that mark the speaker. */
const USER_BEFORE =
  /(?:^|\n)[^\n]{0,16}\bUSER [^\s]{1,80}(?:[^\n]{0,40})\r?\n(?:[^\n]{0,200}\n){0,4}[^\n]{0,16}$/i
const ANSWER_BEHIND = /^\r?\n(?:[<>*] ?|[CS]: ?)?(?:230|\+OK|NICK |USER )/
const PASSWORD_LINE = /[ \t]{1,2}([^\s"'`]{4,200})(?=[ \t]*(?:\r?\n|$|["\\]))/y

/** `USER bob`, then `PASS secret`. */
function addProtocolPassword(text: string, at: number, word: string, spans: Span[]): void {
  if (!beginsWord(text, at)) return
  PASSWORD_LINE.lastIndex = at + word.length - 1
  const value = PASSWORD_LINE.exec(text)?.[1]
  if (value === undefined) return
  const end = PASSWORD_LINE.lastIndex
  if (
    !ANSWER_BEHIND.test(text.slice(end, end + 12)) &&
    !USER_BEFORE.test(text.slice(Math.max(0, at - 500), at))
  )
    return
  if (isSecretValue('password', value, { isQuoted: false, isAlone: true }))
    spans.push(secretSpan('password', end - value.length, value.length))
}

const USER_LINE = /[ \t]{1,2}[^\s"'`:=]{1,80}[ \t]{1,2}([^\s"'`]{4,200})(?=[ \t]*(?:\r?\n|$|["\\]))/y
const USER_LINE_HEAD = /(?:^|\n)[ \t]{0,8}(?:ftp> ?|lftp[^\n]{0,60}> ?|quote )?$/i
const FTP_BEFORE = /\bl?ftp\b|\bopen \S|sftp/i

/** `user bob secret`, as in FTP scripts: three words on a separate line. */
function addUserLine(text: string, at: number, word: string, spans: Span[]): void {
  USER_LINE.lastIndex = at + word.length - 1
  const value = USER_LINE.exec(text)?.[1]
  if (value === undefined) return
  const before = text.slice(Math.max(0, at - 300), at)
  if (!USER_LINE_HEAD.test(before)) return
  const isSecret = FTP_BEFORE.test(before)
    ? isSecretValue('password', value, { isQuoted: false, isAlone: true })
    : isSaidPassword(value)
  if (isSecret) spans.push(secretSpan('password', USER_LINE.lastIndex - value.length, value.length))
}

const SAID_BEFORE = /([^\s"'`;|&<>()\\,]{7,200})["'`]? $/
const SAID_BEHIND = /(?:\w{1,12} ){0,2}(?:password|passphrase|passcode|token|secret)\b/y

/** `use … as the password`, `… is my token`. */
function addSaidBefore(text: string, at: number, word: string, spans: Span[]): void {
  SAID_BEHIND.lastIndex = at + word.length
  if (!SAID_BEHIND.test(text)) return
  const found = SAID_BEFORE.exec(text.slice(Math.max(0, at - 210), at))
  const value = found?.[1]
  if (found === null || value === undefined || !isSaidPassword(value)) return
  spans.push(secretSpan('password', at - found[0].length, value.length))
}

const CODES =
  /[:\s]{1,6}((?:(?:\d{1,2}[.)] |[-*•] )?[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,3}[\s,;]{1,4}){2,24})/y

/** Recovery codes for two-factor authentication, one per line or in a row. */
function addCodes(text: string, at: number, word: string, spans: Span[]): void {
  CODES.lastIndex = at + word.length
  const list = CODES.exec(text)?.[1]
  if (list === undefined) return
  const start = CODES.lastIndex - list.length
  for (const { 0: code, index } of list.matchAll(/[A-Za-z0-9-]{6,}/g))
    if (/\d/.test(code)) spans.push(secretSpan('password', start + index, code.length))
}

const PRIVATE_PART = /"(?:d|k|p|q|dp|dq|qi)"\s?:\s?"([\w-]{20,2000})"/g

/** The private parameters of a JSON Web Key. */
function addJsonWebKey(text: string, at: number, _: string, spans: Span[]): void {
  const before = text.slice(Math.max(0, at - 2000), at)
  const start = at - before.length + before.lastIndexOf('{') + 1
  const around = text.slice(start, at + 4000)
  const end = around.indexOf('}')
  for (const { 0: part, 1: value = '', index } of (end === -1 ? around : around.slice(0, end)).matchAll(
    PRIVATE_PART,
  ))
    spans.push(secretSpan('private key', start + index + part.lastIndexOf(value), value.length))
}
