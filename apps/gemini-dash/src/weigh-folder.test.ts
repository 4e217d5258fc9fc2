import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRemotes, remoteNames, weighFolder } from './move.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text = ''): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test.each([
  ['git@github.com:Me/Shop.git', 'github.com/me/shop'],
  ['https://github.com/me/shop.git', 'github.com/me/shop'],
  ['https://user:secret@github.com/me/shop/', 'github.com/me/shop'],
  ['ssh://git@git.example:2222/team/sub/shop.git', 'git.example/team/sub/shop'],
])('%s is the repository %s', (address, name) => {
  expect(remoteNames(`origin\t${address} (fetch)\n`)).toEqual([name])
})

test('a remote, files that were touched and the end of the path speak for a folder, in this order', () => {
  for (const name of ['src/a.js', 'src/b.js']) write(`new/shop/${name}`)
  write(
    'new/shop/.git/config',
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:me/shop.git\n',
  )
  write('other/shop/src/a.js')
  mkdirSync(join(folder, 'empty'))
  const traces = {
    path: '/gone/shop',
    files: ['src/a.js', 'src/b.js', 'src/c.js'],
    remotes: new Set(['github.com/me/shop']),
  }
  expect(readRemotes(join(folder, 'new/shop'))).toEqual(['github.com/me/shop'])
  const weigh = (name: string) => weighFolder(traces, join(folder, name))
  const [best, weaker, none] = ['new/shop', 'other/shop', 'empty'].map(weigh)
  expect(best?.target.evidence.map(({ text }) => text)).toEqual([
    'It has the same git remote, github.com/me/shop.',
    '2 of 3 files that the sessions touched are there.',
    'Both paths end in shop.',
  ])
  expect(weaker?.target.evidence.map(({ kind }) => kind)).toEqual(['files', 'path-end'])
  expect(none).toMatchObject({ weight: 0, target: { evidence: [] } })
  expect(best?.weight).toBeGreaterThan(weaker?.weight ?? 0)
})
