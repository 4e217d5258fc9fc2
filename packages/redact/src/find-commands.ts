import type { FindAt, Span } from './changes.ts'
import { looksLikePassword, looksRandom, readValue, secretSpan, type Value } from './changes.ts'
import { nameKind } from './find-person.ts'

/** Secrets behind the flags of commands. */
export function findFlags(text: string, spans: Span[]): void {
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (at === 0 || isBoundary(before) || (before === 110 && text.charCodeAt(at - 2) === 92))
      addFlag(text, at, spans)
  }
}

function isBoundary(code: number): boolean {
  // blanks, quotes, and what opens a list or a group
  return code <= 32 || code === 34 || code === 39 || code === 96 || code === 44 || code === 91 || code === 40
}

const FLAG = /--?([A-Za-z][\w.-]{0,60})/y
/** A blank, a sign, the comma of a list, or the line's continuation. */
const SEPARATOR =
  /(?:=|[ \t]{1,8}(?:\\{1,2}(?:\r?\n|n)[ \t]{0,40})?|\\{0,3}["'],?[ \t\r\n]{1,20}(?=\\{0,3}["']))/y
const ARGUMENT = /[^\s"'`;|&<>()\\,]{1,1000}/y
/** Names of flags that take user and password. */
const LOGIN_FLAG =
  /^(?:u|U|user|proxy-user|proxy-username|login|creds|credentials?|userpwd|auth|a|http-user|basic-auth|userpass|username)$/
const NO_VALUE =
  /(?:-stdin|-file|-path|-env|-prompt|-fd|-cmd|-command|-from|-store|-name|-id|-type|-length|-policy|-in)$/

function addFlag(text: string, at: number, spans: Span[]): void {
  FLAG.lastIndex = at
  const flag = FLAG.exec(text)?.[1]
  if (flag === undefined) return
  const end = FLAG.lastIndex
  const isLong = text.charAt(at + 1) === '-'
  if (!isLong && addShort(text, at, flag, end, spans)) return
  // curl -ubob:secret
  if (!isLong && /^[uU]./.test(flag) && LOGINS.has(toolBefore(text, at))) {
    const value = valueAt(text, at + 2)
    if (value !== null) addLogin(text, at, 'u', value, spans)
    return
  }
  if (flag.length === 1 || NO_VALUE.test(flag)) {
    if (!LOGIN_FLAG.test(flag)) return
  }
  const kind = nameKind(flag.replace(/^(?:oauth2)-/, ''))
  const isLogin = LOGIN_FLAG.test(flag)
  if (isLong && flag === 'key') {
    const key = argument(text, end)
    if (key !== null && looksRandom(key.text, key.isQuoted, 16) && !/[./]/.test(key.text))
      spans.push(secretSpan('value named as a secret', key.start, key.text.length))
    return
  }
  if (kind !== 'password' && kind !== 'secret' && !isLogin && flag !== 'cookie') return
  const value = argument(text, end)
  if (value === null) return
  if (flag === 'cookie') {
    addCookie(value, spans)
    return
  }
  if (isLogin) addLogin(text, at, flag, value, spans)
  if (
    kind === 'password'
      ? isPasswordArgument(value, isTool(text, at))
      : kind === 'secret' && isSecretArgument(value)
  )
    spans.push(
      secretSpan(
        kind === 'password' ? 'password' : 'value named as a secret',
        value.start,
        value.text.length,
      ),
    )
}

function argument(text: string, end: number): Value | null {
  SEPARATOR.lastIndex = end
  const separator = SEPARATOR.exec(text)
  return separator === null ? null : valueAt(text, SEPARATOR.lastIndex)
}

function valueAt(text: string, start: number): Value | null {
  if (/["'\\$]/.test(text.charAt(start))) {
    const quoted = readValue(text, start, false)
    if (quoted?.isQuoted) return quoted
  }
  ARGUMENT.lastIndex = start
  const found = ARGUMENT.exec(text)?.[0]
  return found === undefined ? null : { text: found, start, isQuoted: false }
}

/** Behind a flag a plain word is one too, where the line is a command. */
function isPasswordArgument({ text, isQuoted }: Value, isCommand: boolean): boolean {
  if (/^-|^\[|^<|^[A-Z_]+$|^(?:TEXT|string|STRING)$/.test(text) || /^\d{1,3}$/.test(text)) return false
  const isAlone = isCommand || isQuoted
  return looksLikePassword(text, { isQuoted, isAlone }) || looksRandom(text, isQuoted, 8)
}

function isSecretArgument({ text, isQuoted }: Value): boolean {
  return (
    looksRandom(text, isQuoted, 8) ||
    (/[0-9]/.test(text) && looksLikePassword(text, { isQuoted, isAlone: false }))
  )
}

function addCookie({ text, start }: Value, spans: Span[]): void {
  if (/^[^\s=;]{1,80}=[^\s;]{8,}/.test(text)) spans.push(secretSpan('cookie', start, text.length))
}

/** `bob:secret`, `DOMAIN\bob%secret`, `bob,secret`: what stands behind the sign. */
function addLogin(
  text: string,
  at: number,
  flag: string,
  { text: value, start, isQuoted }: Value,
  spans: Span[],
): void {
  const tool = toolBefore(text, at)
  const sign = tool === 'smbclient' || SAMBA.has(tool) ? '%' : tool === 'lftp' ? ',' : ':'
  const place = value.indexOf(sign)
  if (sign === ',' && place === -1) {
    addAfterComma(text, start + value.length, spans)
    return
  }
  if (place < 0 || (place === 0 && sign !== ':')) return
  const password = value.slice(place + 1)
  const isCommand = LOGINS.has(tool) && flag !== 'username'
  if (/^\d{1,5}$|^\/\//.test(password) || /^(?:pass(?:word|wd)?|pwd|secret|token|key)$/i.test(password))
    return
  const isSecret = isCommand
    ? looksLikePassword(password, { isQuoted, isAlone: true }) || looksRandom(password, isQuoted, 8)
    : value.indexOf('/') === -1 && looksLikePassword(password, { isQuoted: false, isAlone: false })
  if (isSecret) spans.push(secretSpan('password', start + place + 1, password.length))
}

/** The argument ended at the comma. */
function addAfterComma(text: string, comma: number, spans: Span[]): void {
  if (text.charAt(comma) !== ',') return
  const value = valueAt(text, comma + 1)
  if (value !== null && looksLikePassword(value.text, { isQuoted: value.isQuoted, isAlone: true }))
    spans.push(secretSpan('password', value.start, value.text.length))
}

const SAMBA = new Set([
  'smbclient',
  'rpcclient',
  'smbget',
  'smbmap',
  'wmic',
  'winexe',
  'net',
  'smbcacls',
  'pth-winexe',
  'mount.cifs',
])
const LOGINS = new Set(
  'curl http https httpie xh wget lftp jf jfrog artifactory etcdctl influx couchbase-cli siege ab aria2c yt-dlp svn git nexus hurl k6 restic kcat elasticdump es curlie'.split(
    ' ',
  ),
)

/** Which tools take a password behind a short flag. `joined`: with nothing between. `login`: only with that word before. */
interface ShortFlag {
  tools: ReadonlySet<string>
  isJoined?: boolean
  isSpaced?: boolean
  needs?: RegExp
}

const tools = (list: string) => new Set(list.split(' '))
const SHORT: Readonly<Record<string, readonly ShortFlag[]>> = {
  p: [
    {
      tools: tools(
        'mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlsh mysqlbinlog mysqlpump mysql_upgrade mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import mariadb-show mariabackup xtrabackup innobackupex mydumper myloader mytop innotop pt-query-digest pt-table-checksum mycli 7z 7za 7zr 7zz rar unrar p7zip sqsh',
      ),
      isJoined: true,
    },
    {
      tools: tools(
        'sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles cqlsh twine rdesktop psexec psexec64 rabbitmqadmin crackmapexec cme nxc netexec evil-winrm ncftp ncftpput ncftpget smbmap mydumper myloader mycli couchbase-cli cbq conan tsm arangosh arangodump cypher-shell hydra taosql taos gsql iredis nats kafkacat dbaccess ysqlsh impala-shell beeline tabcmd mutagen xfreerdp vncpasswd firebird isql-fb tns cf ibmcloud bx mycli sftpgo steamcmd exiftool qpdf pdftk mosquitto_passwd bitwarden ansible-pull',
      ),
      isJoined: true,
      isSpaced: true,
    },
    {
      tools: tools(
        'docker podman nerdctl buildah skopeo helm oc kubectl crane oras regctl az heroku argocd rancher cf ecs-cli singularity apptainer snyk npm vault faas-cli balena harbor quay',
      ),
      isSpaced: true,
      needs: /\b(?:login|service-principal)\b/,
    },
  ],
  a: [
    {
      tools: tools('redis-cli redis-benchmark iredis keydb-cli valkey-cli valkey-benchmark redis-dump'),
      isSpaced: true,
      isJoined: true,
    },
  ],
  P: [
    {
      tools: tools(
        'sqlcmd bcp osql isql tsql sqlpackage mssql-cli zip unzip zipcloak mosquitto_pub mosquitto_sub mosquitto_rr ipmitool ipmipower fcrackzip lpadmin snmpget',
      ),
      isSpaced: true,
      isJoined: true,
    },
  ],
  w: [
    {
      tools: tools(
        'ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn ldapexop vsql dsconf security',
      ),
      isSpaced: true,
      isJoined: true,
    },
  ],
  s: [{ tools: tools('ldappasswd mpw'), isSpaced: true }],
  k: [{ tools: tools('openssl nuget dotnet gem openai'), isSpaced: true }],
  K: [{ tools: tools('openssl'), isSpaced: true }],
  t: [
    {
      tools: tools(
        'glab doctl influx vercel fly flyctl ngrok tea sentry-cli snyk railway netlify surge hcloud linode-cli civo pinata',
      ),
      isSpaced: true,
    },
  ],
  A: [
    { tools: tools('snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmpbulkget snmptable'), isSpaced: true },
  ],
  X: [
    { tools: tools('snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmpbulkget snmptable'), isSpaced: true },
  ],
  c: [
    {
      tools: tools('snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmpbulkget snmptable onesixtyone'),
      isSpaced: true,
    },
  ],
  b: [{ tools: tools('curl'), isSpaced: true }],
  y: [{ tools: tools('htpasswd'), isSpaced: true }],
  hp: [{ tools: tools('rar unrar'), isJoined: true }],
  pw: [{ tools: tools('plink pscp psftp putty pageant kitty nzsql winscp'), isSpaced: true }],
  xp: [{ tools: tools('sendemail sendEmail'), isSpaced: true }],
  ap: [{ tools: tools('swaks'), isSpaced: true }],
  N: [{ tools: tools('ssh-keygen'), isSpaced: true }],
  Password: [],
}
const ALL_TOOLS = new Set([
  ...Object.values(SHORT).flatMap((flags) => flags.flatMap((flag) => [...flag.tools])),
  ...LOGINS,
  ...SAMBA,
])
const SHORT_FLAGS = Object.keys(SHORT).sort((one, other) => other.length - one.length)

/** Whether the flag was one of these, whatever stands behind it. */
function addShort(text: string, at: number, flag: string, end: number, spans: Span[]): boolean {
  const name = SHORT_FLAGS.find((short) => flag.startsWith(short))
  if (name === undefined) return false
  const isJoined = flag !== name
  const asked =
    SHORT[name]?.filter((each) => (isJoined ? each.isJoined : each.isSpaced || each.isJoined)) ?? []
  if (asked.length === 0) return false
  const tool = toolBefore(text, at)
  const found = asked.find(
    (each) => each.tools.has(tool) && (each.needs?.test(segmentBefore(text, at)) ?? true),
  )
  if (found === undefined) {
    // `-p7`, `-p'…'` of an unknown tool are nothing
    return false
  }
  const place = at + 1 + name.length
  const attached =
    isJoined ||
    !/[\s"',]/.test(text.charAt(place)) ||
    (found.isJoined === true && /["']/.test(text.charAt(place)) && /\s/.test(text.charAt(at - 1)))
  const value = attached
    ? found.isJoined
      ? valueAt(text, place)
      : null
    : found.isSpaced
      ? argument(text, end)
      : null
  if (value === null) return isJoined
  if (name === 'b') {
    addCookie(value, spans)
    return true
  }
  if (/^-/.test(value.text) || (!attached && /^\d{1,5}(?::\d{1,5})?$/.test(value.text))) return true
  const isSecret =
    looksLikePassword(value.text, { isQuoted: true, isAlone: true }) ||
    looksRandom(value.text, true, 8) ||
    (attached && /^\d{4,20}$/.test(value.text))
  if (isSecret && !/^(?:<|\[|\$|\{)/.test(value.text))
    spans.push(secretSpan('password', value.start, value.text.length))
  return true
}

const MOST_SEGMENT = 300

const ENDS_OF_COMMANDS = ['\n', ';', '`', '|', '&&', '\\n', '$(']

/** The command that `at` is in, from its beginning. */
function segmentBefore(text: string, at: number): string {
  const before = text
    .slice(Math.max(0, at - MOST_SEGMENT), at)
    .replace(/\\{1,2}(?:\r?\n|n[ \t])/g, (found) => ' '.repeat(found.length))
  const start = Math.max(...ENDS_OF_COMMANDS.map((end) => before.lastIndexOf(end)))
  return start === -1 ? before : before.slice(start)
}

const WORD_OF_COMMAND = /[A-Za-z0-9_][\w.+-]{0,30}/g

/** The first word of the command that is one of the tools; '' where none is. */
function toolBefore(text: string, at: number): string {
  const segment = segmentBefore(text, at)
  let word = ''
  for (const { 0: found, index } of segment.matchAll(WORD_OF_COMMAND)) {
    const name = found.replace(/\.exe$/i, '')
    if (ALL_TOOLS.has(name) && !/[=:@-]/.test(segment.charAt(index - 1))) {
      word = name
      break
    }
  }
  return word
}

/** Whether the line is a command: a known tool begins it, or is before. */
function isTool(text: string, at: number): boolean {
  return COMMAND.test(segmentBefore(text, at)) || toolBefore(text, at) !== ''
}

const COMMAND =
  /^[\s;|&`$(#>%"']{0,12}(?:sudo\s{1,3})?(?:[A-Z_]{1,40}=\S{1,80}\s{1,3}){0,3}(?:[\w./-]{0,60}\/)?(?:gpg2?|mysql\w*|mariadb\w*|psql|createuser|wget|svn|hg|keytool|jarsigner|az|aws|gcloud|vault|consul|nomad|terraform|kubectl|helm|oc|npm|yarn|pnpm|twine|poetry|pip|gh|glab|heroku|ansible\w*|openssl|docker|podman|argocd|restic|borg|rclone|duplicity|s3cmd|mc|cypher-shell|sqoop|beeline|flyway|liquibase|dotnet|nuget|java|mvn|gradle|redis-cli|mongo\w*|clickhouse\w*|cockroach|influx|snowsql|databricks|firebase|vercel|netlify|wrangler|sentry-cli|codecov|sonar-scanner|nmcli|xfreerdp|smbclient|openconnect|openvpn|kinit|ldap\w+|curl|http|https|node|python3?|ruby)\s/

/** Secrets in the places where tools, statements and files of words want one. */
export const PLACE_LITERALS: [literal: string, find: FindAt][] = []

/** Where these words stand, what a form takes of the text from there on: its first group. `isSure`: whatever it is. */
function place(
  words: string,
  form: RegExp,
  isSure: 'sure' | 'quoted' | 'chosen' | 'random' = 'chosen',
): void {
  const sticky = new RegExp(form, `y${form.flags.includes('i') ? 'i' : ''}`)
  for (const word of words.split('|'))
    PLACE_LITERALS.push([
      word,
      (text, at, spans) => {
        if (
          at > 0 &&
          /[\w]/.test(text.charAt(at - 1)) &&
          /^\w/.test(word) &&
          !/\\[nrt]$/.test(text.slice(at - 2, at))
        )
          return
        sticky.lastIndex = at
        const found = sticky.exec(text)
        const value = found?.slice(1).find((group) => group !== undefined)
        if (found == null || value === undefined) return
        const isQuoted = /["'`]$/.test(found[0].slice(0, found[0].lastIndexOf(value)))
        const isAlone = isSure === 'sure' || (isSure === 'quoted' && isQuoted)
        const isSecret =
          (isSure !== 'random' && looksLikePassword(value, { isQuoted, isAlone })) ||
          looksRandom(value, isQuoted, 8)
        if (isSecret && !/^\w{1,40}=/.test(value) && (!word.endsWith('(') || /[^A-Za-z_. -]/.test(value)))
          spans.push(secretSpan('password', at + found[0].lastIndexOf(value), value.length))
      },
    ])
}

const ARG = `[^\\s"'\`;|&<>\\\\]{3,400}`
const VALUE = `(?:\\\\{0,3}["]([^"\\r\\n\\\\]{3,400})|\\\\{0,3}[']([^'\\r\\n\\\\]{3,400})|(${ARG}))`

// SQL
place(
  'IDENTIFIED|identified|Identified',
  new RegExp(
    `identified\\s{1,8}(?:with\\s{1,8}[\\w"'\`]{1,60}\\s{1,8})?by\\s{1,8}(?:password\\s{1,8}|values\\s{1,8})?${VALUE}`,
    'i',
  ),
  'quoted',
)
place(
  'PASSWORD|password|Password|PASSPHRASE|passphrase',
  /(?:password|passphrase)(?:\s{1,4}for\s{1,4}[^\s=:]{1,80})?(?:\s{0,4}[=:(]{1,2}\s{0,4}|\s{1,4})(?:password\s{0,4}\(\s{0,4}|is\s{1,4}|was\s{1,4}|=\s{0,4})?(?:\\{0,3}"([^"\r\n\\]{4,200})\\{0,3}"|\\{0,3}'([^'\r\n\\]{4,200})\\{0,3}'|`([^`\r\n]{4,200})`)/i,
)
// a bare one in prose or in a file of words: it must not be a word itself
for (const word of [
  'PASSWORD',
  'password',
  'Password',
  'passwd',
  'Passwort',
  'Kennwort',
  'passphrase',
  'Passphrase',
  'secret',
  'passcode',
  'PSK',
  'psk',
  'pw',
  'pwd',
])
  PLACE_LITERALS.push([word, (text, at, spans) => addBare(text, at, word, spans)])
// tools with a place for it
place('pass:', /(?<=[\s"'=])pass:([^\s"'`;|&<>\\]{3,200})/, 'sure')
place(
  '/p:|/P:|/pass:|/password:|/Password:|/pw:|/rp |/PASSWORD:',
  new RegExp(`/(?:rp\\s|\\w{1,8}:)${VALUE}`),
  'sure',
)
place(
  'net use |NET USE ',
  new RegExp(`net use (?:[A-Za-z*]:?\\s{1,4})?\\\\\\\\[^\\s]{1,100}\\s{1,4}(?!/|\\*)${VALUE}`, 'i'),
  'sure',
)
place('net user |NET USER ', new RegExp(`net user ${ARG}\\s{1,4}(?!/|\\*)${VALUE}`, 'i'), 'sure')
place(
  'htpasswd ',
  new RegExp(
    `htpasswd\\s{1,4}(?:-[A-Za-z]{0,6}b[A-Za-z]{0,6})(?:\\s{1,4}-\\w{1,6}){0,3}(?:\\s{1,4}[^\\s-][^\\s]{0,100}){1,2}\\s{1,4}${VALUE}`,
  ),
  'sure',
)
place(
  'wpa_passphrase ',
  new RegExp(`wpa_passphrase\\s{1,4}(?:"[^"]{1,60}"|'[^']{1,60}'|[^\\s]{1,60})\\s{1,4}${VALUE}`),
  'sure',
)
place(
  'rabbitmqctl ',
  new RegExp(
    `rabbitmqctl\\s[^\\n|;&]{0,60}?(?:add_user|change_password|authenticate_user)\\s{1,4}[^\\s]{1,60}\\s{1,4}${VALUE}`,
  ),
  'sure',
)
place('rclone ', new RegExp(`rclone (?:obscure|reveal)\\s{1,4}${VALUE}`), 'sure')
place('ngrok ', new RegExp(`ngrok (?:config add-)?authtoken\\s{1,4}${VALUE}`, 'i'), 'random')
place('vault ', new RegExp(`vault (?:login|operator unseal)\\s{1,4}(?!-)${VALUE}`), 'random')
place(
  'snyk |wandb |cargo |railway |surge |supabase |infracost |codecov |exercism |doppler |pulumi |gist ',
  new RegExp(`\\w{1,12} (?:auth login|auth|login|configure)\\s{1,4}(?!-)${VALUE}`),
  'random',
)
place(
  'mc ',
  new RegExp(
    `mc (?:--\\w{1,12}\\s{1,4})?(?:alias set|config host add)\\s{1,4}[^\\s]{1,60}\\s{1,4}[^\\s]{1,120}\\s{1,4}[^\\s]{1,80}\\s{1,4}${VALUE}`,
  ),
  'sure',
)
place('http-basic.', new RegExp(`http-basic\\.[^\\s]{1,80}\\s{1,4}[^\\s]{1,80}\\s{1,4}${VALUE}`), 'sure')
place('pypi-token.', new RegExp(`pypi-token\\.[^\\s]{1,80}\\s{1,4}${VALUE}`), 'random')
place(
  'sqlplus |sqlldr |expdp |impdp |rman |exp |imp |sqlcl ',
  /\w{3,8}\s{1,4}(?:-[A-Za-z]{1,8}\s{1,4}){0,3}(?:target\s{1,4})?["']?\w{1,40}\/([^\s@"'/]{3,100})@/,
  'sure',
)
place(
  'ConvertTo-SecureString |convertto-securestring ',
  new RegExp(`convertto-securestring\\s{1,4}(?:-String\\s{1,4})?${VALUE}`, 'i'),
  'sure',
)
place(
  'add-generic-password|add-internet-password',
  new RegExp(`add-\\w{7,8}-password\\s[^\\n|;]{0,200}?\\s-w\\s{1,4}${VALUE}`),
  'sure',
)
place('-passwd ', new RegExp(`-passwd\\s{1,4}/[^\\s]{1,80}\\s{1,4}${VALUE}`), 'sure')
place(
  'expect',
  /expect[^\n]{0,12}?[^\n]{0,60}?ass(?:word|phrase)[^\n]{0,40}?(?:\r?\n|;|\{|\\n)?[\s{;]{0,40}(?:exp_)?send(?:line)?[\s(]{1,4}(?:-- )?["'{]([^"'\n\\}]{3,100})/,
  'sure',
)
place(
  'spawn|child',
  /(?:spawn|child)[^\n]{0,80}\n[^\n]{0,80}ass(?:word|phrase)[^\n]{0,40}\n?[^\n]{0,20}send(?:line)?[\s(]{1,4}(?:-- )?["'{]([^"'\n\\}]{3,100})/,
  'sure',
)
place('_authToken |_auth |_password ', new RegExp(`_(?:authToken|auth|password)\\s{1,4}${VALUE}`), 'random')

place(
  'requirepass |masterauth |rootpw |bindpw |sasl_passwd |adminpw ',
  new RegExp(`\\w{5,12}\\s{1,4}${VALUE}`),
  'sure',
)
place(
  'encrypt_string ',
  new RegExp(`encrypt_string\\s{1,4}(?:--?[\\w-]{1,30}(?:[ =][^\\s'"]{1,60})?\\s{1,4}){0,3}${VALUE}`),
  'quoted',
)
place(
  'sp_addlogin |sp_password |sp_addlinkedsrvlogin ',
  /sp_\w{5,20}\s{1,4}(?:@?\w{0,20}\s?=?\s?N?'[^'\n]{0,60}',\s{0,4}){1,3}(?:@\w{1,20}\s?=\s?)?N?'([^'\n]{4,100})'/,
  'quoted',
)
place('SECRET |secret ', /secret\s{1,4}'([^'\n]{8,200})'/i, 'random')
// the last argument of what takes a user and a password
place(
  'BasicAuth(|auth=(|HTTPBasicAuth(|NetworkCredential(|PasswordCredentials(|getConnection(|PlainAuth(|basicAuth(|basic_auth(|authenticate(|mysqli_connect(|PDO(|.login(|.signIn(|httpBasic(',
  /\.?\w{2,30}=?\((?:[^()"'\n]{0,60}["'][^"'\n]{0,100}["']\s{0,4},|[\w.$]{1,40}\s{0,4},\s{0,4}){1,3}\s{0,4}["']([^"'\n]{4,200})["'](?=\s{0,4}[,)])/,
)

for (const word of [
  'chpasswd',
  '--password-stdin',
  'sudo -S',
  'passwd --stdin',
  '--with-token',
  'cryptsetup ',
  '--pass-stdin',
  'gpg --batch',
  '--passphrase-fd',
  'kinit ',
  'smbpasswd',
  'gh secret set',
  'gh auth login',
  'sudo --stdin',
  'docker login',
  'secret create',
  'wrangler secret',
])
  PLACE_LITERALS.push([word, (text, at, spans) => addPiped(text, at, spans)])
for (const word of [
  'setx ',
  'setenv ',
  'ENV ',
  'set -',
  'config set ',
  'configure set ',
  'ARG ',
  'secret set ',
  'git config ',
  'npm set ',
  'SETX ',
  'secrets set ',
  'env add ',
  'config add ',
])
  PLACE_LITERALS.push([word, (text, at, spans) => addSetting(text, at + word.length, spans)])
for (const word of [
  'kind: Secret',
  '"kind": "Secret"',
  '"kind":"Secret"',
  '\\"kind\\":\\"Secret\\"',
  '\\"kind\\": \\"Secret\\"',
])
  PLACE_LITERALS.push([word, addSecretData])

const BARE =
  /(?:[ \t]{1,4}(?:for|of)[ \t]{1,4}[^\s]{1,60})?[ \t]{1,8}(?:(?:is|was|=|to)[ \t]{1,4})?([^\s"'`;|&<>()\\,-][^\s"'`;|&<>()\\,]{2,200})/y
/** As in a file of words, and what `nmcli` takes. */
const BELONGS =
  /\b(?:machine|default)\s+\S{1,100}(?:\s+\S{1,100}){0,4}\s*$|\b(?:login|wifi connect)\s+\S{1,100}\s*$/

function addBare(text: string, at: number, word: string, spans: Span[]): void {
  if (/\w/.test(text.charAt(at - 1)) && !/\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at))) return
  BARE.lastIndex = at + word.length
  const found = BARE.exec(text)
  if (found === null) return
  const value = (found[1] ?? '').replace(/[.,:!?]$/, '')
  const start = at + word.length + found[0].length - (found[1]?.length ?? 0)
  const isOfLogin = BELONGS.test(text.slice(Math.max(0, at - 240), at)) && /^(?:password|passwd)$/.test(word)
  const isSecret = isOfLogin
    ? looksLikePassword(value, { isQuoted: false, isAlone: true }) || looksRandom(value)
    : /[0-9]/.test(value) &&
      /[A-Za-z]/.test(value) &&
      !/[=:/[\]{}]/.test(value) &&
      value.length >= 7 &&
      looksRandom(value, false, 7) &&
      /[a-z].*[A-Z]|[A-Z].*[a-z]|[!#%^*+~@$?]|\d.*[a-z].*\d|^[a-z]{4,}\d{2,}$/.test(value)
  if (isSecret) spans.push(secretSpan('password', start, value.length))
}

for (const word of ['token ', 'Token ', 'key ', 'Key ', 'bearer ', 'Bearer ', 'BEARER ', 'TOKEN '])
  PLACE_LITERALS.push([word, (text, at, spans) => addSaid(text, at + word.length, spans)])

const SAID = /(?:(?:is|was|here|now)[: ]\s{0,2}){0,2}([A-Za-z0-9._~+/=-]{16,4000})/y

/** `Bearer …`, `the token is …`, `api key …`: what no word is. */
function addSaid(text: string, at: number, spans: Span[]): void {
  SAID.lastIndex = at
  const found = SAID.exec(text)
  const value = (found?.[1] ?? '').replace(/[.]$/, '')
  if (
    found === null ||
    !looksRandom(value, false, 16) ||
    /^[0-9a-f]{40}$|\/.*\/.*\.|\.[a-z0-9]{2,4}$/.test(value)
  )
    return
  spans.push(secretSpan('value named as a secret', at + found[0].indexOf(value), value.length))
}

const ECHO =
  /(?:echo|printf|print|Write-Output)\s{1,4}(?:-n\s{1,4}|-e\s{1,4}|-ne\s{1,4}|["']%s(?:\\n)?["']\s{1,4}|["']%s:%s(?:\\n)?["']\s{1,4}){0,2}(?:"([^"\r\n]{3,400})"|'([^'\r\n]{3,400})'|([^\s"'|<>&;]{3,400}))\s{0,4}\|[^|\n]{0,120}$/
const HERE = /<<<\s{0,4}(?:"([^"\r\n]{3,400})"|'([^'\r\n]{3,400})'|([^\s"'|<>&;]{3,400}))/y

/** `echo secret | tool`, `tool <<< secret`. */
function addPiped(text: string, at: number, spans: Span[]): void {
  const around = text.slice(Math.max(0, at - 500), at)
  const before = around.slice(around.lastIndexOf('\n') + 1)
  const echoed = ECHO.exec(before)
  const here = text.slice(at, at + 200).indexOf('<<<')
  HERE.lastIndex = at + Math.max(0, here)
  const found = echoed ?? (here === -1 || text.slice(at, at + here).includes('\n') ? null : HERE.exec(text))
  if (found === null) return
  const whole = found[1] ?? found[2] ?? found[3] ?? ''
  const value = text.startsWith('chpasswd', at) ? whole.slice(whole.indexOf(':') + 1) : whole
  const base = echoed === null ? at + here : at - before.length + found.index
  if (!looksLikePassword(value, { isQuoted: true, isAlone: true }) && !looksRandom(value, true, 8)) return
  spans.push(secretSpan('password', base + found[0].lastIndexOf(value), value.length))
}

const SETTING = new RegExp(
  `(?:--?[\\w-]{1,30}(?:=[^\\s]{1,60})?\\s{1,4}){0,4}["']?([A-Za-z/][\\w./:@-]{1,120})["']?(?:\\s{1,4}(?:--body|-b|--value)?[= ]?\\s{0,4}|=)${VALUE}`,
  'y',
)

/** `setx API_KEY …`, `ENV DB_PASSWORD …`, `config set x.token …`. */
function addSetting(text: string, at: number, spans: Span[]): void {
  SETTING.lastIndex = at
  const found = SETTING.exec(text)
  const name = found?.[1]?.replace(/^.*:/, '') ?? ''
  const kind = nameKind(name.replace(/^-x\s+/, ''))
  if (found === null || (kind !== 'password' && kind !== 'secret')) return
  const value = found[2] ?? found[3] ?? found[4] ?? ''
  const isSecret =
    kind === 'password'
      ? looksLikePassword(value, { isQuoted: true, isAlone: true })
      : looksRandom(value, true, 8)
  if (isSecret && !value.startsWith('-'))
    spans.push(
      secretSpan(
        kind === 'password' ? 'password' : 'value named as a secret',
        at + found[0].lastIndexOf(value),
        value.length,
      ),
    )
}

const DATA_LINE =
  /(?:^|[\r\n]|\\n)[ \t]{1,12}([\w.-]{1,80}):[ \t]{1,4}["']?([A-Za-z0-9+/]{4,8000}={0,2})["']?(?=[ \t]*(?:$|[\r\n"]|\\n))/g
const DATA_FIELD = /\\{0,3}"[\w.-]{1,80}\\{0,3}"\s{0,2}:\s{0,2}\\{0,3}"([A-Za-z0-9+/]{4,8000}={0,2})\\{0,3}"/g

/** All values of a Kubernetes secret, whatever their names. */
function addSecretData(text: string, at: number, spans: Span[]): void {
  // its own document of the file, so that none is read twice
  const before = text.slice(Math.max(0, at - 4000), at)
  const from = at - before.length + Math.max(0, before.lastIndexOf('---'), before.lastIndexOf('kind'))
  const after = text.slice(at + 8, at + 8000)
  const end = after.search(/kind\\{0,3}"?:|---/)
  const around = text.slice(from, end === -1 ? at + 8000 : at + 8 + end)
  for (const { index, 0: mark } of around.matchAll(
    /(?:^|\n|\\n)(?:data|stringData):[ \t]*(?=[\r\n]|\\n)|\\{0,3}"(?:data|stringData)\\{0,3}"\s{0,2}:\s{0,2}\{/g,
  )) {
    const body = around.slice(index + mark.length, index + mark.length + 8000)
    const isJson = mark.endsWith('{')
    const bodyEnd = isJson ? body.indexOf('}') : body.search(/(?:\n|\\n)(?:[A-Za-z-]|$)/)
    const part = bodyEnd === -1 ? body : body.slice(0, bodyEnd)
    for (const found of part.matchAll(isJson ? DATA_FIELD : DATA_LINE)) {
      const value = found[isJson ? 1 : 2] ?? ''
      if (!/^\s*(?:data|stringData)/.test(mark.replace(/^\\n|\\*"/, '')) || value === '') continue
      spans.push(
        secretSpan(
          'value of a secret',
          from + index + mark.length + (found.index ?? 0) + found[0].lastIndexOf(value),
          value.length,
        ),
      )
    }
  }
}
