import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const tree = mkdtempSync(join(tmpdir(), 'gemini-dash-rules-'))
const { forbidden }: { forbidden: { name: string; from: { path: string }; to: { path: string } }[] } =
  createRequire(import.meta.url)('../.dependency-cruiser.cjs')
let violated: { rule: string; from: string; to: string }[] = []

/** How the rules write layers: a folder, and each layer in it as a folder or file. */
const LAYERS = /^\^(.+)\/\(\?:([^)]+)\)\(\?:\/\|\[[.]\]tsx\?\$\)$/
/** A layer of an ordered folder, and the layers above it, which it must not import. */
const orders = forbidden.flatMap(({ name, from, to }) => {
  if (!name.endsWith(' knows nothing above it')) return []
  const [, folder = '', layer = ''] = LAYERS.exec(from.path) ?? []
  const [, , above = ''] = LAYERS.exec(to.path) ?? []
  return [{ rule: name, folder, layer, above: above.split('|') }]
})

/** Each layer imports the one above it. */
const turnedRound = orders.map(({ rule, folder, layer, above: [next = ''] }): [string, string, string] => [
  rule,
  `${folder}/${layer.split('|')[0]}/turned-round.ts`,
  `${folder}/${next}/turned-round.ts`,
])

/** A small tree of the same structure, with one forbidden import for each other rule. */
const FILES: Record<string, string> = {
  'packages/gemini-sessions/package.json':
    '{ "name": "gemini-sessions", "type": "module", "exports": { ".": "./src/index.ts" } }',
  'packages/gemini-sessions/src/index.ts': "export { parse } from './parse/parse.ts'\n",
  'packages/gemini-sessions/src/parse/parse.ts':
    "import { readFileSync } from 'node:fs'\nexport const parse = (path: string) => readFileSync(path)\n",
  'packages/gemini-sessions/src/model/message.ts':
    "import { answer } from '../../../api/src/index.ts'\nexport const message = answer\n",
  'packages/pricing/src/price.ts':
    "import { put } from '../../archive/src/put.ts'\nexport const price = put\n",
  'packages/api/package.json':
    '{ "name": "@gemini-dash/api", "type": "module", "exports": { ".": "./src/index.ts" } }',
  'packages/api/src/index.ts':
    "import { start } from '../../../apps/gemini-dash/src/server/start.ts'\nexport const answer = start\n",
  'packages/archive/src/put.ts':
    "import { parse } from '../../gemini-sessions/src/index.ts'\nexport const put = parse\n",
  'packages/antigravity-sessions/src/conversation.ts':
    "import { put } from '../../archive/src/put.ts'\nexport const conversation = put\n",
  'packages/redact/src/redact.ts':
    "import { readFileSync } from 'node:fs'\nimport { put } from '../../archive/src/put.ts'\nexport const redact = [readFileSync, put]\n",
  'apps/web/package.json': '{ "name": "@gemini-dash/web", "devDependencies": { "gemini-sessions": "1" } }',
  'apps/web/src/lib/read.ts': "import { parse } from 'gemini-sessions'\nexport const read = parse\n",
  'apps/web/src/lib/shape.ts':
    "import type { parse } from 'gemini-sessions'\nexport type Shape = ReturnType<typeof parse>\n",
  'apps/web/src/features/list/list.ts':
    "import { chart } from '../chart/chart.ts'\nexport const list = chart\n",
  'apps/web/src/features/chart/chart.ts':
    "import { start } from '../../../../gemini-dash/src/server/start.ts'\nexport const chart = start\n",
  'apps/gemini-dash/package.json': '{ "name": "gemini-dash", "dependencies": { "fastify": "1" } }',
  'apps/gemini-dash/node_modules/fastify/package.json': '{ "name": "fastify", "main": "index.js" }',
  'apps/gemini-dash/node_modules/fastify/index.js': 'module.exports = 1\n',
  'apps/gemini-dash/src/store/list/list.ts':
    "import type { sync } from '../sync/sync.ts'\nexport type Row = typeof sync\n",
  'apps/gemini-dash/src/watch/watch.ts':
    "import undeclared from 'undeclared'\nexport const watch = undeclared\n",
  'node_modules/undeclared/package.json': '{ "name": "undeclared", "main": "index.js" }',
  'node_modules/undeclared/index.js': 'module.exports = 1\n',
  'apps/gemini-dash/src/store/sync/sync.ts': "import fastify from 'fastify'\nexport const sync = fastify\n",
  'apps/gemini-dash/src/server/create-server.ts': 'export const server = 1\n',
  'apps/gemini-dash/src/server/routes/route.ts':
    "import { server } from '../create-server.ts'\nexport const route = server\n",
  'apps/gemini-dash/src/commands/command.ts':
    "import { home } from '../../../../fixtures/home.ts'\nexport const command = home\n",
  'fixtures/home.ts': 'export const home = 1\n',
  'apps/gemini-dash/src/server/start.ts': 'export const start = 1\n',
  'apps/gemini-dash/src/home-writes/home-writer.ts': 'export const write = 1\n',
  'apps/gemini-dash/src/store/store.ts':
    "import { write } from '../home-writes/home-writer.ts'\nexport const store = write\n",
  'apps/gemini-dash/src/server/security.ts':
    "import { store } from '../store/store.ts'\nimport { gone } from './gone.ts'\nexport const guard = [store, gone]\n",
  'apps/gemini-dash/src/a.ts': "import { b } from './b.ts'\nexport const a = () => b\n",
  'apps/gemini-dash/src/b.ts': "import { a } from './a.ts'\nexport const b = () => a\n",
}

beforeAll(() => {
  for (const [, from, to] of turnedRound) {
    FILES[to] ??= 'export const it = 1\n'
    FILES[from] = `import { it as above } from '${relative(dirname(from), to)}'\nexport const it = above\n`
  }
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  cpSync(join(root, 'tsconfig.base.json'), join(tree, 'tsconfig.base.json'))
  mkdirSync(join(tree, 'apps/web/node_modules'))
  symlinkSync(
    join(tree, 'packages/gemini-sessions'),
    join(tree, 'apps/web/node_modules/gemini-sessions'),
    'junction',
  )
  violated = cruise()
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

const planted: [string, string, string][] = [
  [
    'homes are written to by three verbs only',
    'apps/gemini-dash/src/store/store.ts',
    'apps/gemini-dash/src/home-writes/home-writer.ts',
  ],
  [
    'antigravity-sessions: knows sessions only',
    'packages/antigravity-sessions/src/conversation.ts',
    'packages/archive/src/put.ts',
  ],
  ['archive: stands alone', 'packages/archive/src/put.ts', 'packages/gemini-sessions/src/index.ts'],
  [
    'redact: stands alone, and runs in a browser',
    'packages/redact/src/redact.ts',
    'packages/archive/src/put.ts',
  ],
  ['redact: no Node', 'packages/redact/src/redact.ts', 'fs'],
  ['no cycles', 'apps/gemini-dash/src/a.ts', 'apps/gemini-dash/src/b.ts'],
  ['everything resolves', 'apps/gemini-dash/src/server/security.ts', './gone.ts'],
  ['gemini-sessions: pure but for ./node', 'packages/gemini-sessions/src/parse/parse.ts', 'fs'],
  ['api: knows sessions only', 'packages/api/src/index.ts', 'apps/gemini-dash/src/server/start.ts'],
  ['packages know no app', 'packages/api/src/index.ts', 'apps/gemini-dash/src/server/start.ts'],
  ['program: fixtures for the testbed only', 'apps/gemini-dash/src/commands/command.ts', 'fixtures/home.ts'],
  [
    'apps meet in the api only',
    'apps/web/src/features/chart/chart.ts',
    'apps/gemini-dash/src/server/start.ts',
  ],
  ['web: types only', 'apps/web/src/lib/read.ts', 'packages/gemini-sessions/src/index.ts'],
  [
    'web: features do not import each other',
    'apps/web/src/features/list/list.ts',
    'apps/web/src/features/chart/chart.ts',
  ],
  [
    'server: routes do not know the server',
    'apps/gemini-dash/src/server/routes/route.ts',
    'apps/gemini-dash/src/server/create-server.ts',
  ],
  [
    'server: the store knows no HTTP',
    'apps/gemini-dash/src/store/sync/sync.ts',
    'apps/gemini-dash/node_modules/fastify/index.js',
  ],
  [
    'server: security knows no domain',
    'apps/gemini-dash/src/server/security.ts',
    'apps/gemini-dash/src/store/store.ts',
  ],
  [
    'pricing: knows sessions and the contract only',
    'packages/pricing/src/price.ts',
    'packages/archive/src/put.ts',
  ],
  [
    'gemini-sessions: stands alone',
    'packages/gemini-sessions/src/model/message.ts',
    'packages/api/src/index.ts',
  ],
  ['only what is declared', 'apps/gemini-dash/src/watch/watch.ts', 'node_modules/undeclared/index.js'],
  [
    'store: list knows nothing above it',
    'apps/gemini-dash/src/store/list/list.ts',
    'apps/gemini-dash/src/store/sync/sync.ts',
  ],
]

test.each([...planted, ...turnedRound])('"%s" fires on its planted violation', (rule, from, to) => {
  expect(violated).toContainEqual({ rule, from, to })
})

test('every rule has its planted violation', () => {
  const proven = new Set([...planted, ...turnedRound].map(([rule]) => rule))
  expect(forbidden.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([])
})

test('every folder among ordered layers has its place in the order', () => {
  for (const folder of new Set(orders.map((order) => order.folder))) {
    const inside = readdirSync(join(root, folder), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !['fixtures', 'styles'].includes(entry.name),
    )
    const ordered = orders
      .filter((order) => order.folder === folder)
      .flatMap(({ layer, above }) => [...layer.split('|'), ...above])
    expect(
      inside.map(({ name }) => `${folder}/${name}`).filter((path) => !ordered.includes(basename(path))),
    ).toEqual([])
  }
})

test('every ordered layer is there, as a folder or a file', () => {
  const layers = orders.flatMap(({ folder, layer, above }) =>
    [...layer.split('|'), ...above].map((name) => join(root, folder, name)),
  )
  const isThere = (path: string) => [path, `${path}.ts`, `${path}.tsx`].some((each) => existsSync(each))
  expect(layers.filter((path) => !isThere(path))).toEqual([])
})

test('the page may import types of the sessions package', () => {
  expect(violated.filter((violation) => violation.from === 'apps/web/src/lib/shape.ts')).toEqual([])
})

function cruise(): typeof violated {
  const entry = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [
    entry,
    '--config',
    join(root, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    'apps',
    'packages',
  ]
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' })
  const { summary } = JSON.parse(stdout)
  return summary.violations.map((violation: { rule: { name: string }; from: string; to: string }) => ({
    rule: violation.rule.name,
    from: violation.from,
    to: violation.to,
  }))
}
