import { expect, test } from 'vitest'
import { redactText, redactValue } from '../src/index.ts'
import { LOOK_ALIKES } from './look-alikes.ts'
import { TRUE_SECRETS } from './true-secrets.ts'

const person = {
  homes: ['/home/ada', 'C:\\Users\\Ada Byron'],
  userNames: ['ada'],
  hostNames: ['engine'],
}

test('S22: a hundred secrets are found, each whole', () => {
  expect(TRUE_SECRETS.length).toBeGreaterThanOrEqual(100)
  const missed = TRUE_SECRETS.filter(([text, secret]) => {
    const { text: clean, changes } = redactText(text)
    // no piece of it is left, and the text around it is
    return (
      clean.includes(secret.slice(-12)) || changes.length !== 1 || changes[0]?.value.includes(secret) !== true
    )
  })
  expect(missed).toEqual([])
})

test('S22: a hundred look-alikes are left alone', () => {
  expect(LOOK_ALIKES.length).toBeGreaterThanOrEqual(100)
  expect(LOOK_ALIKES.map((text) => redactText(text).text)).toEqual(LOOK_ALIKES)
})

test('S22: a redacted text is not changed by a second time', () => {
  for (const [text] of TRUE_SECRETS) {
    const once = redactText(text).text
    expect(redactText(once)).toMatchObject({ text: once, changes: [] })
  }
})

test.each([
  ['cat /home/ada/shop/a.ts', 'cat ~/shop/a.ts'],
  ['/home/adam/x', '~/x'],
  ['/Users/grace/x', '~/x'],
  ['{"path":"C:\\\\Users\\\\Ada Byron\\\\a.ts"}', '{"path":"~\\\\a.ts"}'],
  ['file:///C:/Users/Ada%20Byron/a.ts', 'file:///~/a.ts'],
  ['/srv/ada/x, /srv/adapter/x', '/srv/[user]/x, /srv/adapter/x'],
  ['ssh ada@engine', 'ssh [user]@[host]'],
  ['http://engine:8080/x and engine.local', 'http://[host]:8080/x and [host].local'],
  ['\\\\engine\\share', '\\\\[host]\\share'],
  ['the engine of ada is a search engine', 'the engine of ada is a search engine'],
  ['Mail ada.byron@analytical.org now', 'Mail [e-mail] now'],
  ['/home/ada@analytical.org', '~'],
  ['To:\\nada@analytical.org', 'To:\\n[e-mail]'],
])('S22: what names the person goes out of paths and addresses: %s', (text, clean) => {
  expect(redactText(text, person).text).toBe(clean)
})

test('S22: the count of changes is that of the replacements, and each says what and where', () => {
  const text = 'a /home/ada/x b someone@analytical.org c'
  const { changes, text: clean } = redactText(text, person)
  expect(changes).toMatchObject([
    { kind: 'home', value: '/home/ada', before: 'a ', after: '/x b someone@analytical.org c' },
    { kind: 'email', value: 'someone@analytical.org', before: 'a /home/ada/x b ', after: ' c' },
  ])
  expect(clean).toBe('a ~/x b [e-mail] c')
})

test('S22: a reviewer keeps a kind, or one finding', () => {
  const text = 'someone@analytical.org, other@analytical.org, /home/ada'
  expect(redactText(text, { ...person, keepKinds: new Set(['email']) }).text).toBe(
    'someone@analytical.org, other@analytical.org, ~',
  )
  expect(redactText(text, { ...person, keepValues: new Set(['other@analytical.org']) }).text).toBe(
    '[e-mail], other@analytical.org, ~',
  )
  // a home folder that is kept keeps the name in it; elsewhere the name is replaced as before
  expect(redactText('ls /home/grace; whoami: grace', { keepKinds: new Set(['home']) }).text).toBe(
    'ls /home/grace; whoami: [user]',
  )
  expect(redactText('/home/grace and /home/joan', { keepValues: new Set(['/home/grace']) }).text).toBe(
    '/home/grace and ~',
  )
})

test('S22: what cannot be examined is left out, and said', () => {
  expect(redactText('\0\0\u0001\u0002').leftOut).toEqual([{ reason: 'binary', length: 4, at: '' }])
  const large = redactValue({ output: ['x'.repeat(50)] }, { maxLength: 40 })
  expect(large.value).toEqual({ output: ['[left out: too large to be examined, 50 characters]'] })
  expect(large.leftOut).toEqual([{ reason: 'too-large', length: 50, at: 'output[0]' }])
})

test('S22: a value is redacted in all its texts and names, and keeps its shape', () => {
  const given = JSON.parse(
    '{"b":{"password":"lovelace1815","n":[1,null,"/home/ada/x"]},"/home/ada":true,"__proto__":"z"}',
  )
  const { value, changes } = redactValue(given, person)
  expect(JSON.stringify(value)).toBe(
    '{"b":{"password":"[redacted: value named as a secret]","n":[1,null,"~/x"]},"~":true,"__proto__":"z"}',
  )
  expect(changes.map(({ at }) => at).sort()).toEqual(['/home/ada', 'b.n[2]', 'b.password'])
})

test('S22: a key that was cut off is redacted as far as it goes', () => {
  const body = 'MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYw'.repeat(3)
  expect(redactText(`-----BEGIN PRIVATE KEY-----\n${body}`).text).toBe('[redacted: private key]')
})

/** Anything not linear takes hours for one of these: no assertion about time is needed. */
const SLOW_PIECES = [
  [
    '-----BEGIN RSA PRIVATE KEY-----',
    'a',
    '1',
    '-',
    '@',
    '"',
    "'",
    '\\',
    ':',
    '=',
    'a@a.',
    '://a:',
    '%40',
    '\\n',
  ],
  [
    'password="token=',
    'eyJ.sk-AIza ghp_ ',
    ' -p a',
    'mysql -pA1',
    'Authorization: Basic ',
    'Cookie: a=',
    'Z2hwX',
    'ghp_\n',
  ],
  [
    'kind: Secret\ndata:\n a: ',
    '<password>a</password>',
    '/home/a',
    '\\\\n\\"',
    '\u001b[31m',
    ' ~a/',
    'sudo -S ',
  ],
  ['machine a login b password c1D ', 'IDENTIFIED BY PASSWORD ', "insert into t (password) values ('a'),"],
  [
    'a,password\nb,cde1\n',
    '| key | token |\n',
    'token,',
    'key  ',
    'USER a\nPASS b\n',
    '"kty"{',
    'radius-server a key ',
  ],
].flat()

test.each(SLOW_PIECES)('S22: a text made to be slow, of %j, comes to an end', (piece) => {
  expect(redactText(piece.repeat(Math.ceil(60_000 / piece.length))).leftOut).toEqual([])
})
