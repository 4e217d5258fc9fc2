/** What stands in conversations about code and is nobody's secret. */
export const LOOK_ALIKES: string[] = `
password: string
password?: string
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
`
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('\\\\', '\\'))
  // the form of a key in the middle of a longer word
  .concat(
    ['data', 'AK', 'IA7Q2M4TBPWXYZ2ABC'].join(''),
    ['desks', 'k-4Fh8sJ2kQ9wE7rT5yU3iO1pA6sD8fG0hJ'].join(''),
  )
