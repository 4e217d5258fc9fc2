import { expect, test } from 'vitest'
import { redactText, redactValue } from '../src/index.ts'

test.each([
  ['/mnt/c/Users/adalove/x', '~/x'],
  ['/var/home/adalove/x', '~/x'],
  ['/export/home/adalove', '~'],
  ['/Volumes/Data/Users/adalove/x', '~/x'],
  ['\\\\wsl$\\Ubuntu\\home\\adalove\\x', '~\\x'],
  ['//wsl.localhost/Ubuntu/home/adalove/x', '/~/x'],
  ['/c/Users/adalove/x', '~/x'],
  ['c:\\users\\adalove\\x', '~\\x'],
  ['C:\\Users\\Ada Byron\\x', '~\\x'],
  ['file:///c%3A/Users/adalove/x', 'file:///~/x'],
  ['%2Fhome%2Fadalove%2Fx', '~%2Fx'],
  ['/home/jörg/x', '~/x'],
  ['-home-adalove-code-x', '-home-[user]-code-x'],
  ['C--Users-adalove-code', 'C--Users-[user]-code'],
  ['/home/adalove/x, /srv/adalove/y', '~/x, /srv/[user]/y'],
  ['/home/adalove, ssh adalove@h', '~, ssh [user]@h'],
  ['C:\\Users\\Adalove and D:\\data\\ADALOVE\\y', '~ and D:\\data\\[user]\\y'],
  [
    '/home/adalove: drwxr-xr-x 5 adalove staff 4096\n-rw-r--r-- 1 adalove staff 5 x',
    '~: drwxr-xr-x 5 adalove staff 4096\n-rw-r--r-- 1 [user] staff 5 x',
  ],
  ['/home/adalove USER=adalove', '~ USER=[user]'],
  ['adalove@engine7:~/x$ curl http://engine7:80/', '[user]@[host]:~/x$ curl http://[host]:80/'],
  ['on DESKTOP-AB12CD3 now', 'on [host] now'],
  ['Adas-MacBook-Pro.local', '[host].local'],
  ['cd ~adalove/x', 'cd ~[user]/x'],
  ['/run/media/adalove/stick', '/run/media/[user]/stick'],
  ['\\\\server\\Users\\adalove\\x', '~\\x'],
  ['/home/adalove\n$ whoami\nadalove', '~\n$ whoami\n[user]'],
])('S22: a name that was found once is redacted in every form of a path: %s', (text, clean) => {
  expect(redactText(text).text).toBe(clean)
})

test('S22: a home folder whose name is a word takes no word out of the text', () => {
  const text = 'In /home/test/x a test of code: src/test/code.ts, npm test'
  expect(redactText(text).text).toBe('In ~/x a test of code: src/test/code.ts, npm test')
})

test.each([
  'jörg.müller@acme.io',
  'ada@müller.de',
  'ada@xn--mller-kva.de',
  'ada@startup.md',
  'ada@firma.rs',
  'ada@gov.py',
  'ada@acme.zip',
  '"ada lovelace"@acme.io',
  'ada%40acme.io',
  'ada&#64;acme.io',
  'ada@corp.test',
  'ada@corp.example',
  'ada@[192.168.1.7]',
  'ada.love(at)acme.io',
  'ada [at] acme [dot] io',
])('S22: %s is an address', (address) => {
  expect(redactText(`to <${address}> now`).text).toBe('to <[e-mail]> now')
})

test.each([
  'git@github.com:acme/x.git',
  'user@file.md',
  'src/icon@2x.md',
  'react@19.1.0',
  '@scope/package',
  '@app.route("/x")',
  'actions/checkout@v4',
  'someone@example.com',
  'an at-home-office and take-home-pay',
  'https://x.io/home/settings',
  'src/home/index.ts',
])('S22: %s is none', (text) => {
  expect(redactText(text).text).toBe(text)
})

const SECRET = ['Zq8n', 'Tv4Lk2'].join('')
const TOKEN = ['ghp_aB3dE5fG7hJ9kL1m', 'N3pQ5rS7tU9vW1xYabcd'].join('')

test('S22: what one text of a value tells is redacted in all of them, also before it', () => {
  const given = { prompt: `try ${SECRET}`, calls: [{ args: ['docker', 'login', '-p', SECRET] }] }
  const { value, changes } = redactValue(given)
  expect(JSON.stringify(value)).not.toContain(SECRET)
  expect(changes).toHaveLength(2)
})

test('S22: a secret that goes on in the next chunk is taken out of both', () => {
  const content = [TOKEN.slice(0, 9), TOKEN.slice(9, 30), `${TOKEN.slice(30)} end`].map((text) => ({
    kind: 'text',
    text,
  }))
  expect(redactValue({ content }).value).toEqual({
    content: ['[redacted: GitHub token]', '', ' end'].map((text) => ({ kind: 'text', text })),
  })
})

test('S22: a value is named by what stands beside it', () => {
  const { value } = redactValue([{ name: 'DB_PASSWORD', value: 'sunflowers' }])
  expect(value).toEqual([{ name: 'DB_PASSWORD', value: '[redacted: value named as a secret]' }])
})
