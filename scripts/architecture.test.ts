import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const page = readFileSync(`${root}ARCHITECTURE.md`, 'utf8')

/** Two pages: newcomers read all of it. */
const MAX_WORDS = 900

test('ARCHITECTURE.md stays short', () => {
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS)
})

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(`${root}${file}`))

test('every file that ARCHITECTURE.md names is there', () => {
  const named = [...page.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([])
  const linked = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  expect(linked.filter((target) => !existsSync(`${root}${target.split('#')[0]}`))).toEqual([])
})

test('what a walk names beside files stands in a file of that walk', () => {
  const [, table = ''] = page.split('| where is … | way |\n')
  const walks = table.split('\n\n')[0]?.split('\n').slice(1) ?? []
  expect(walks.length).toBeGreaterThanOrEqual(7)
  for (const walk of walks) {
    const [, asked = '', way = ''] = walk.split('|')
    const names = [...way.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    const paths = names.filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'))
    const sources = files
      .filter((file) => paths.some((path) => `/${file}`.endsWith(`/${path}`)))
      .map((file) => readFileSync(`${root}${file}`, 'utf8'))
    const identifiers = names.filter((name) => /^#?\w+$/.test(name))
    expect([asked, identifiers.filter((name) => !sources.some((source) => source.includes(name)))]).toEqual([
      asked,
      [],
    ])
  }
})
