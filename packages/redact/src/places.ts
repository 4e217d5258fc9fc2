/**
 * How certain it is that the value is a secret. `sure`: even a plain word is. `quoted`: it is if in quotes. `chosen`: if it looks like a
 * password. `said`: if it is in a sentence and not a word. `random`: if no person chose it. `made`: always, since a program wrote it.
 */
export type Sureness = 'sure' | 'quoted' | 'chosen' | 'said' | 'random' | 'made'

/** Statements and commands with a position for a secret: `words` start it, `form` matches what follows. */
export interface PlaceRule {
  sureness: Sureness
  words: readonly string[]
  form: RegExp
}

const QUOTED = `(?:"([^"\\r\\n]{3,400})"|'([^'\\r\\n]{3,400})'|\`([^\`\\r\\n]{3,400})\`)`
const BARE = `([^\\s"'\`;|&<>\\\\]{3,400})`
const ARGUMENT = `(?:"[^"\\n]{0,100}"|'[^'\\n]{0,100}'|[^\\s"']{1,120})`

/**
 * Sureness, words, form, separated by two spaces. In a form, a space is one or more, `_` any argument, `=` the secret, `==` a secret in
 * quotes.
 */
const TABLE = String.raw`
quoted  identified|Identified|IDENTIFIED  (?: with [\w"'\x60]{1,60})? by (?:(?:password|values) )?=
chosen  password|Password|PASSWORD|passphrase|PASSPHRASE|passwort|Passwort|kennwort|Kennwort  (?: for [^\s=:]{1,80})?(?:\s{0,4}[=:(]{1,2}\s{0,4}| <- | )(?:password\s{0,4}\(\s{0,4}|is |was |=\s{0,4})?N?==
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
random  AUTH  (?:\x20\w{2,30})?\x20=
random  auth  (?<=(?:^|\n)auth)(?:\x20\w{2,30})?\x20=
sure  AUTH|auth  (?<=(?:redis|:\d{4,5}(?:\[\d{1,2}\])?)>\x20?auth)(?:\x20\w{2,30})?\x20=
sure  redis-cli|valkey-cli  \x20(?:\S{1,40}\x20){0,6}?auth(?:\x20\w{2,30})?\x20=
sure  HELLO  \x20[23]\x20AUTH\x20\S{1,60}\x20=
sure  SETUSER|setuser|user  (?<=(?:setuser|\nuser|^user))\x20\S{1,60}(?:\x20[^\s>]{1,60}){0,12}\x20>=
sure  LOGIN  (?<=(?:^|[\n>:])\s?(?:[A-Z]{0,4}\d{1,6}|[A-Z.?])\x20LOGIN) _ =
sure  NickServ|nickserv|NICKSERV  \x20:?(?:IDENTIFY|identify|GHOST)(?:\x20\w{1,30})?\x20=
made  334 UGFzc3dvcmQ6  \r?\n(?:[<>]\s|[CS]:\s)?([A-Za-z0-9+/=]{4,200})
random  AUTH=PLAIN|AUTH=XOAUTH2   =
quoted  PRAGMA key|PRAGMA rekey|PRAGMA hexkey|pragma key  \s?=?\s?==
quoted  pgp_sym_encrypt(|pgp_sym_decrypt(|AES_ENCRYPT(|AES_DECRYPT(|aes_encrypt(|aes_decrypt(  (?:'[^'\n]{0,200}'|[\w.:]{1,60}(?:\([^()\n]{0,40}\))?)\s{0,2},\s{0,2}==
quoted  crypt(  (?=["'][^"'\n]{3,200}["']\s?,\s?gen_salt)==
quoted  MD5(|SHA1(|SHA2(|SHA256(|PASSWORD(|md5(|sha1(|sha2(|sha256(  (?<=passw\w{0,8}\s?=\s?\w{3,8}\()==
sure  WIFI:  (?:[A-Z]:[^;\n]{0,80};){0,4}?P:([^;\n]{4,100})
sure  iwconfig  [^\n;|]{0,60}?\x20key\x20(?:s:)?=
sure  Key Content  \s{1,20}:\x20=
sure  username  \x20\S{1,40}(?:\x20privilege\x20\d{1,2})?\x20(?:password|secret)\x20\d\x20=
sure  snmp-server community|authentication-key|isakmp key  \x20(?:\d\x20)?=
sure  tacacs-server|radius-server  [^\n]{0,80}?\x20key\x20(?:\d\x20)?=
sure  message-digest-key   \d{1,3} md5 (?:\d )?=
sure  plain-text-password-value|encrypted-password|pre-shared-key ascii-text|wpa-psk ascii   (?:\d )?=
sure  : PSK|: EAP|: XAUTH   ==
chosen  ]:587|]:465|]:25|]:submission   [^\s:]{1,80}:=
sure  <auth-user-pass>  \s{1,4}\S{1,80}\r?\n=
sure  psk  \x20'"([^"\n]{8,63})"'
sure  ssm put-parameter  (?=[^\n]{0,400}SecureString)[^\n]{0,300}?\x20--value[\x20=]=
sure  bw unlock   (?!-)=
sure  bw login   _ (?!-)=
sure  -setcookie   =
sure  signtool  [^\n]{0,200}?\x20/p\x20=
sure  pdftk  [^\n|;]{0,200}?\x20(?:input|owner|user)_pw\x20=
sure  qpdf  [^\n|;]{0,200}?\x20--encrypt\x20=
sure  security unlock-keychain|security create-keychain|security set-key-partition-list  [^\n|;]{0,80}?\x20-[pk]\x20=
made  TOTP secret|2FA secret|OTP secret|TOTP key|2FA key|Setup key|setup key  (?:\x20is)?:?\x20\s{0,4}((?:[A-Z2-7]{4}\x20){3,12}[A-Z2-7]{4})
sure  WPA key|WPA2 key|WEP key|Wi-Fi key|WiFi key|wifi key  (?:\x20is)?:\x20=
sure  AT+CWJAP  (?:_\w{3,4})?=["'][^"'\n]{1,40}["'],==
chosen  WiFi.begin(|wifi.connect(|wlan.connect(|wifiMulti.addAP(|softAP(  \s{0,2}["'][^"'\n]{1,40}["'],\s{0,2}==
chosen  storePassword|keyPassword  \s{1,4}==
sure  jdbc:oracle:thin:  [^\s/@"']{1,40}/([^\s@"'/]{3,100})@
sure  mysqladmin  [^\n|;]{0,120}?\x20password\x20=
sure  auth.password -v|auth.password_in -v|auth.password --value   =
sure  ejabberdctl|prosodyctl   (?:register|change_password|check_password) _ _ =
sure  :pserver:|:ext:  [^\s:@/]{1,60}:([^\s@/]{3,100})@
sure  <(echo|<(printf  (?<=pass\w{0,10}[-=\s][^\n]{0,30}<\(\w{4,6})\x20(?:-n\x20)?=
sure  --password-command|passwordeval|--extpass  [\x20=]["']?echo\x20=
sure  drush  \x20(?:upwd|user:password|user-password)\x20\S{1,60}\x20(?!--)=
sure  password:reset[  [^\s,\]]{1,60},([^\s\],"']{4,100})
sure  \password   _ =
sure  CONNECT  \x20["']?\w{1,40}/([^\s@"'/]{3,100})@
sure  imp|exp  \x20["']?\w{1,40}/([^\s@"'/]{3,100})(?:@\S{1,60})?\x20\w{1,20}=[^=]
sure  chpasswd  (?:\x20-e)?\x20?<<-?\x20?["']?\w{1,12}["']?\r?\n[^\s:]{1,40}:=
sure  chpasswd:  \s{1,6}(?:expire:\x20\w{4,5}\s{1,8})?list:\x20?\|?\s{1,12}(?:-\x20)?[^\s:]{1,40}:=
sure  rootpw --plaintext|set-initial-password|reset-admin-password|root-password password|user-password password|password-again password   =
sure  DefaultPassword  \x20(?:/t\x20REG_SZ\x20)?/d\x20=
made  temporary password is generated for  \x20\S{1,80}:\x20(\S{6,60})
sure  password to proceed to installation  :\s{1,8}=
random  successfully reset.  \s{1,4}New value:\x20=
random  Unseal Key|Recovery Key|unseal key  \x20\d{1,2}:\x20=
made  'AUTH_KEY'|'SECURE_AUTH_KEY'|'LOGGED_IN_KEY'|'NONCE_KEY'|'AUTH_SALT'|'SECURE_AUTH_SALT'|'LOGGED_IN_SALT'|'NONCE_SALT'  ,\s{1,10}'([^'\n]{12,120})'
made  mnemonic|Mnemonic|MNEMONIC|seed phrase|Seed phrase|recovery phrase|Recovery phrase|secret phrase|seed words  (?:\x20(?:is|are|words))?[\s:="']{1,6}((?:[a-z]{3,8}\x20){11,23}[a-z]{3,8})(?![a-z])
said  contrase|Contrase  ñas?\x20?(?::|=|es:?)\x20?=
said  mot de passe|Mot de passe|wachtwoord|Wachtwoord|senha|Senha  \x20?(?::|=|est:?|is:?)\x20?=
said  passwort|Passwort|Kennwort|kennwort|PIN|pin  \x20?(?::|lautet:?|ist:?|is:?)\x20?=
said  password from|passphrase from|Password from   =
said  credentials|Credentials|creds|login with|log in with|log in as|sign in with|sign in as  (?:\x20are)?:?\x20\S{1,60}\x20?(?:/|with|and)\x20?=
random  my key|our key|your key|My key|private key|secret key  (?:\x20is)?\x20?:\x20=
random  /with/key/|reset-password/|password-reset/|reset_password/|password/reset/|magic-link/|verify-email/|confirm-email/  =
quoted  SECURITY_CREDENTIALS  ,\s{0,2}==
chosen  type="password"|type='password'  [^<>]{0,120}?\x20value\x3d==
sure  name="password"|name="passwd"|name="token"|name="secret"|name="api_key"  \r?\n(?:[^\n]{1,80}\n)?\r?\n=
chosen  jwt.sign(|jwt.verify(|jwt.encode(|jwt.decode(|AES.encrypt(|AES.decrypt(  (?:\{[^{}\n]{0,80}\}|[\w.$]{1,60}),\s{0,2}b?==
chosen  createHmac(|createCipheriv(|hash_hmac(  ["'][\w-]{3,12}["'],\s{0,2}(?:\$\w{1,30},\s{0,2})?b?==
chosen  hmac.new(|password_hash(|cookieParser(|Fernet(|bcrypt.hash(|bcrypt.hashSync(|hashSync(|scryptSync(|pbkdf2Sync(|hashpw(  b?==
chosen  .fill(|.type(|.send_keys(|.sendKeys(|.setValue(|.typeText(  (?:(?<=passw(?:or)?d["'\])]{0,4}\.\w{4,9}\()|["'][^"'\n]{0,40}passw[^"'\n]{0,20}["'],\s?)==
chosen  .connect(  (?:["'][^"'\n]{1,80}["'],\s?)\d{2,5},\s?["'][^"'\n]{1,60}["'],\s?==
random  token <-|key <-|secret <-  \x20==
chosen  BasicAuth(|auth=(|HTTPBasicAuth(|NetworkCredential(|PasswordCredentials(|getConnection(|PlainAuth(|basicAuth(|basic_auth(|authenticate(|mysqli_connect(|PDO(|.auth(|create_user(|create_superuser(|changeUserPassword(|PSCredential(|PasswordCredential(|Credentials.basic(|FTP(|FTP_TLS(|ftp_login(|ssh2_auth_password(|imap_open(|auth = (|credentials = (|creds = (|login = (|.login(|.signIn(|httpBasic(  (?:[^()"'\n]{0,60}["'][^"'\n]{0,100}["']\s{0,4},|[\w.$]{1,40}\s{0,4},\s{0,4}){1,3}\s{0,4}["']([^"'\n]{4,200})["'](?=\s{0,4}[,)])
`

export const PLACE_RULES: readonly PlaceRule[] = TABLE.trim().split('\n').map(parse)

function parse(line: string): PlaceRule {
  const [sureness = '', words = '', ...rest] = line.split('  ')
  // a form that begins with a space has three before it
  const form = rest
    .join('  ')
    .replaceAll(/(?<![=[])=(=?)(?=$)/g, (_, more: string) => (more === '' ? `(?:${QUOTED}|${BARE})` : QUOTED))
    .replaceAll(/ _(?= )/g, ` ${ARGUMENT}`)
    .replaceAll(' ', '\\s{1,4}')
  const list = words.split('|')
  const start = list.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return { sureness: sureness as Sureness, words: list, form: new RegExp(`(?:${start})${form}`, 'yi') }
}
