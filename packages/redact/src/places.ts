/**
 * How surely what stands there is a secret. `sure`: a plain word is one too. `quoted`: in quotes it is. `chosen`: where it looks
 * like a password. `random`: where no person chose it.
 */
export type Sureness = 'sure' | 'quoted' | 'chosen' | 'random'

/** Statements and commands with a place for a secret: `words` begin it, what follows is `form`. */
export interface PlaceRule {
  sureness: Sureness
  words: readonly string[]
  form: RegExp
}

const QUOTED = `(?:"([^"\\r\\n]{3,400})"|'([^'\\r\\n]{3,400})'|\`([^\`\\r\\n]{3,400})\`)`
const BARE = `([^\\s"'\`;|&<>\\\\]{3,400})`
const ARGUMENT = `(?:"[^"\\n]{0,100}"|'[^'\\n]{0,100}'|[^\\s"']{1,120})`

/**
 * Sureness, words, form: divided by two blanks. In a form a blank is one or more, `_` any argument, `=` the secret, `==` a
 * secret in quotes.
 */
const TABLE = String.raw`
quoted  identified|Identified|IDENTIFIED  (?: with [\w"'\x60]{1,60})? by (?:(?:password|values) )?=
chosen  password|Password|PASSWORD|passphrase|PASSPHRASE|passwort|Passwort|kennwort|Kennwort  (?: for [^\s=:]{1,80})?(?:\s{0,4}[=:(]{1,2}\s{0,4}| )(?:password\s{0,4}\(\s{0,4}|is |was |=\s{0,4})?N?==
random  SECRET|secret  \s{1,4}==
quoted  sp_addlogin|sp_password|sp_addlinkedsrvlogin   (?:@?\w{0,20}\s?=?\s?N?'[^'\n]{0,60}',\s{0,4}){1,3}(?:@\w{1,20}\s?=\s?)?N?==
sure  pass:  (?<=[\s"'=]pass:)=
sure  /p:|/P:|/pass:|/password:|/Password:|/PASSWORD:|/pw:  =
sure  /rp|/RP   =
sure  net use|NET USE   (?:[A-Za-z*]:? )?\\\\\S{1,100} (?!/|\*)=
sure  net user|NET USER   _ (?!/|\*)=
sure  htpasswd   -[A-Za-z]{0,6}b[A-Za-z]{0,6}(?: -\w{1,6}){0,3}(?: [^\s-]\S{0,100}){1,2} =
sure  wpa_passphrase   _ =
sure  rabbitmqctl   [^\n|;&]{0,60}?(?:add_user|change_password|authenticate_user) _ =
sure  rclone obscure|rclone reveal   =
sure  mkpasswd   (?:-\w (?:[\w-]{1,20} )?){0,2}(?!-)=
sure  mc   (?:--\w{1,12} )?(?:alias set|config host add) _ _ _ =
sure  http-basic.  _ _ =
sure  ConvertTo-SecureString|convertto-securestring   (?:-String )?=
sure  add-generic-password|add-internet-password   [^\n|;]{0,200}?-w =
sure  -passwd   /\S{1,80} =
sure  requirepass|masterauth|rootpw|bindpw|sasl_passwd|adminpw|rootdn_pw   =
quoted  encrypt_string   (?:--?[\w-]{1,30}(?:[=\s][^\s'"]{1,60})? ){0,3}=
sure  sqlplus|sqlldr|expdp|impdp|rman|sqlcl   (?:-[A-Za-z]{1,8} ){0,3}(?:target )?["']?\w{1,40}/([^\s@"'/]{3,100})@
sure  expect  [^\n]{0,72}?ass(?:word|phrase)[^\n]{0,40}?[\s;{]{1,40}(?:exp_)?send(?:line)?[\s(]{1,4}(?:-- )?["'{]([^"'\n\\}\r]{3,100})
sure  spawn|child  [^\n]{0,80}\n[^\n]{0,80}ass(?:word|phrase)[^\n]{0,40}\n?[^\n]{0,20}send(?:line)?[\s(]{1,4}(?:-- )?["'{]([^"'\n\\}\r]{3,100})
random  ngrok authtoken|ngrok config add-authtoken|ngrok config authtoken   =
random  vault login|vault operator unseal   (?!-)=
random  snyk|wandb|cargo|railway|surge|supabase|infracost|codecov|exercism|doppler|pulumi|gist   (?:auth login|auth|login|configure) (?!-)=
random  pypi-token.  \S{1,80} =
random  _authToken|_auth|_password   =
random  AUTH   (?:\w{2,30} )?=
chosen  BasicAuth(|auth=(|HTTPBasicAuth(|NetworkCredential(|PasswordCredentials(|getConnection(|PlainAuth(|basicAuth(|basic_auth(|authenticate(|mysqli_connect(|PDO(|.login(|.signIn(|httpBasic(  (?:[^()"'\n]{0,60}["'][^"'\n]{0,100}["']\s{0,4},|[\w.$]{1,40}\s{0,4},\s{0,4}){1,3}\s{0,4}["']([^"'\n]{4,200})["'](?=\s{0,4}[,)])
`

export const PLACE_RULES: readonly PlaceRule[] = TABLE.trim().split('\n').map(parse)

function parse(line: string): PlaceRule {
  const [sureness = '', words = '', ...rest] = line.split('  ')
  // a form that begins with a blank has three before it
  const form = rest
    .join('  ')
    .replaceAll(/(?<![=[])=(=?)(?=$)/g, (_, more: string) => (more === '' ? `(?:${QUOTED}|${BARE})` : QUOTED))
    .replaceAll(/ _(?= )/g, ` ${ARGUMENT}`)
    .replaceAll(' ', '\\s{1,4}')
  const list = words.split('|')
  const start = list.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return { sureness: sureness as Sureness, words: list, form: new RegExp(`(?:${start})${form}`, 'yi') }
}
