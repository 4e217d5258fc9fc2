import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const page = readFileSync(`${root}ARCHITECTURE.md`, 'utf8')

/** Two pages: who comes anew reads all of it. */
const MAX_WORDS = 1_800

test('ARCHITECTURE.md stays short', () => {
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS)
})

test('every file that ARCHITECTURE.md names is there', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n')
  const named = [...page.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([])
  const linked = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  expect(linked.filter((target) => !existsSync(`${root}${target}`))).toEqual([])
})
