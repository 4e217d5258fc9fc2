import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Any import of another file in the repository, of values or types. */
const IMPORT = /(?:from|import|import\()\s*'(\.{1,2}\/[^'?]+\.(?:ts|tsx|mjs|cjs))'/g
/** Excludes re-exports. */
const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:ts|tsx|mjs|cjs)$/.test(path) && existsSync(join(ROOT, path)))

const sources = files.filter(isSource)
const housed = sources.filter((path) => /^(?:apps|packages)\/[^/]+\/src\//.test(path))

test('E3: no two exported names are the same: whoever looks for one finds one', () => {
  const programs = sources.filter((path) => !/\/bench\//.test(path))
  expect(doubledNames(new Map(programs.map((path) => [path, read(path)])))).toEqual([])
})

test('a planted double is found; the same thing handed on is none', () => {
  const plant = (second: string) =>
    doubledNames(
      new Map([
        ['packages/api/src/row.ts', 'export interface Row {}\n'],
        ['apps/web/src/ui/row.tsx', second],
      ]),
    )
  expect(plant('export function Row() {\n  return null\n}\n')).toEqual([
    'Row: packages/api/src/row.ts, apps/web/src/ui/row.tsx',
  ])
  expect(plant("export { Row } from '@gemini-dash/api'\n")).toEqual([])
  expect(plant('interface Row {}\nexport const rows: Row[] = []\n')).toEqual([])
})

test('no folder needs a folder beside it that needs it, types included', () => {
  const needs = new Map<string, Set<string>>()
  for (const [from, to] of importsOf(housed)) {
    const [left, right] = [dirname(from).split('/'), dirname(to).split('/')]
    const parting = left.findIndex((name, index) => name !== right[index])
    if (parting < 0 || parting >= right.length) continue
    add(needs, left.slice(0, parting + 1).join('/'), right.slice(0, parting + 1).join('/'))
  }
  expect(needs.size).toBeGreaterThan(30)
  expect(circlesOf(needs)).toEqual([])
})

test('no file of the tools needs a file that needs it, types included', () => {
  const tools = sources.filter((path) =>
    /^(?:faults|scripts)\/|^(?:apps|packages)\/[^/]+\/bench\//.test(path),
  )
  expect(tools.length).toBeGreaterThan(40)
  expect(circlesOf(new Map(tools.map((path) => [path, new Set(neededBy(path))])))).toEqual([])
})

test('a circle is found', () => {
  const needs = { a: ['b'], b: ['c', 'd'], c: ['d'], d: ['b'] }
  const circles = circlesOf(new Map(Object.entries(needs).map(([from, to]) => [from, new Set(to)])))
  expect(circles).toEqual([['b', 'c', 'd', 'b']])
})

/** Each name with the files that export it as their own. */
function doubledNames(texts: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, Set<string>>()
  for (const [path, text] of texts) {
    for (const [, name = ''] of text.matchAll(EXPORT)) {
      files.set(name, (files.get(name) ?? new Set()).add(path))
    }
  }
  return [...files].flatMap(([name, paths]) => (paths.size > 1 ? [`${name}: ${[...paths].join(', ')}`] : []))
}

function isSource(path: string): boolean {
  if (!/^(?:apps|packages|scripts|faults)\/.*\.(?:ts|tsx|mjs|cjs)$/.test(path)) return false
  return !/\.test\.tsx?$|\.d\.[mc]?ts$|\/test\//.test(path)
}

/** Each cycle as the path of folders, with the first one repeated at the end. */
function circlesOf(needs: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const done = new Set<string>()
  const circles: string[][] = []
  const follow = (room: string, way: string[]): void => {
    const seenAt = way.indexOf(room)
    if (seenAt >= 0) circles.push([...way.slice(seenAt), room])
    if (seenAt >= 0 || done.has(room)) return
    for (const next of needs.get(room) ?? []) follow(next, [...way, room])
    done.add(room)
  }
  for (const room of needs.keys()) follow(room, [])
  return circles
}

function importsOf(paths: readonly string[]): [from: string, to: string][] {
  return paths.flatMap((path) => neededBy(path).map((to): [string, string] => [path, to]))
}

function add(needs: Map<string, Set<string>>, from: string, to: string): void {
  if (from !== to) needs.set(from, (needs.get(from) ?? new Set()).add(to))
}

function neededBy(path: string): string[] {
  return [...read(path).matchAll(IMPORT)].map(([, to = '']) => join(dirname(path), to))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
