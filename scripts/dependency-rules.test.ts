import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const planted = mkdtempSync(join(tmpdir(), 'gemini-dash-rules-'))
let violated: { rule: string; from: string; to: string }[] = []

/** A small tree of the same shape, with one import for each rule that must not be. */
const FILES: Record<string, string> = {
  'packages/gemini-sessions/package.json':
    '{ "name": "gemini-sessions", "type": "module", "exports": { ".": "./src/index.ts" } }',
  'packages/gemini-sessions/src/index.ts': "export { parse } from './parse/parse.ts'\n",
  'packages/gemini-sessions/src/parse/parse.ts':
    "import { readFileSync } from 'node:fs'\nexport const parse = (path: string) => readFileSync(path)\n",
  'packages/gemini-sessions/src/model/message.ts':
    "import { parse } from '../parse/parse.ts'\nexport const message = parse\n",
  'packages/api/package.json':
    '{ "name": "@gemini-dash/api", "type": "module", "exports": { ".": "./src/index.ts" } }',
  'packages/api/src/index.ts':
    "import { start } from '../../../apps/gemini-dash/src/server/start.ts'\nexport const answer = start\n",
  'packages/archive/src/put.ts':
    "import { parse } from '../../gemini-sessions/src/index.ts'\nexport const put = parse\n",
  'packages/redact/src/redact.ts':
    "import { readFileSync } from 'node:fs'\nimport { put } from '../../archive/src/put.ts'\nexport const redact = [readFileSync, put]\n",
  'apps/web/package.json': '{ "name": "@gemini-dash/web", "devDependencies": { "gemini-sessions": "1" } }',
  'apps/web/src/lib/read.ts': "import { parse } from 'gemini-sessions'\nexport const read = parse\n",
  'apps/web/src/lib/shape.ts':
    "import type { parse } from 'gemini-sessions'\nexport type Shape = ReturnType<typeof parse>\n",
  'apps/web/src/ui/button.ts':
    "import { list } from '../features/list/list.ts'\nexport const button = list\n",
  'apps/web/src/features/list/list.ts':
    "import { chart } from '../chart/chart.ts'\nexport const list = chart\n",
  'apps/web/src/features/chart/chart.ts':
    "import { start } from '../../../../gemini-dash/src/server/start.ts'\nexport const chart = start\n",
  'apps/web/src/api/ask.ts': "import { button } from '../ui/button.ts'\nexport const ask = button\n",
  'apps/web/src/content/text.ts':
    "import type { list } from '../features/list/list.ts'\nexport type Text = typeof list\n",
  'apps/gemini-dash/package.json': '{ "name": "gemini-dash", "dependencies": { "fastify": "1" } }',
  'apps/gemini-dash/node_modules/fastify/package.json': '{ "name": "fastify", "main": "index.js" }',
  'apps/gemini-dash/node_modules/fastify/index.js': 'module.exports = 1\n',
  'apps/gemini-dash/src/store/catalog/catalog.ts':
    "import type { library } from '../library/library.ts'\nexport type Row = typeof library\n",
  'apps/gemini-dash/src/store/library/library.ts':
    "import fastify from 'fastify'\nexport const library = fastify\n",
  'apps/gemini-dash/src/server/routes/route.ts':
    "import { start } from '../start.ts'\nimport { command } from '../../commands/command.ts'\nexport const route = [start, command]\n",
  'apps/gemini-dash/src/commands/command.ts':
    "import { home } from '../../../../fixtures/home.ts'\nexport const command = home\n",
  'fixtures/home.ts': 'export const home = 1\n',
  'apps/gemini-dash/src/server/start.ts': 'export const start = 1\n',
  'apps/gemini-dash/src/home-writes/home-writer.ts': 'export const write = 1\n',
  'apps/gemini-dash/src/store/store.ts':
    "import { start } from '../server/start.ts'\nimport { write } from '../home-writes/home-writer.ts'\nexport const store = [start, write]\n",
  'apps/gemini-dash/src/server/security/guard.ts':
    "import { store } from '../../store/store.ts'\nimport { gone } from './gone.ts'\nexport const guard = [store, gone]\n",
  'apps/gemini-dash/src/a.ts': "import { b } from './b.ts'\nexport const a = () => b\n",
  'apps/gemini-dash/src/b.ts': "import { a } from './a.ts'\nexport const b = () => a\n",
}

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(planted, path)), { recursive: true })
    writeFileSync(join(planted, path), text)
  }
  cpSync(join(root, 'tsconfig.base.json'), join(planted, 'tsconfig.base.json'))
  mkdirSync(join(planted, 'apps/web/node_modules'))
  symlinkSync(
    join(planted, 'packages/gemini-sessions'),
    join(planted, 'apps/web/node_modules/gemini-sessions'),
    'junction',
  )
  violated = cruise()
}, 60_000)

afterAll(() => rmSync(planted, { recursive: true, force: true }))

test.each([
  [
    'homes are written to by two verbs only',
    'apps/gemini-dash/src/store/store.ts',
    'apps/gemini-dash/src/home-writes/home-writer.ts',
  ],
  ['archive: stands alone', 'packages/archive/src/put.ts', 'packages/gemini-sessions/src/index.ts'],
  [
    'redact: stands alone, and runs in a browser',
    'packages/redact/src/redact.ts',
    'packages/archive/src/put.ts',
  ],
  ['redact: no Node', 'packages/redact/src/redact.ts', 'fs'],
  ['no cycles', 'apps/gemini-dash/src/a.ts', 'apps/gemini-dash/src/b.ts'],
  ['everything resolves', 'apps/gemini-dash/src/server/security/guard.ts', './gone.ts'],
  [
    'gemini-sessions: model knows nothing above it',
    'packages/gemini-sessions/src/model/message.ts',
    'packages/gemini-sessions/src/parse/parse.ts',
  ],
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
  ['web: ui knows nothing above it', 'apps/web/src/ui/button.ts', 'apps/web/src/features/list/list.ts'],
  [
    'web: features do not import each other',
    'apps/web/src/features/list/list.ts',
    'apps/web/src/features/chart/chart.ts',
  ],
  ['web: api knows nothing above it', 'apps/web/src/api/ask.ts', 'apps/web/src/ui/button.ts'],
  [
    'web: content knows nothing above it',
    'apps/web/src/content/text.ts',
    'apps/web/src/features/list/list.ts',
  ],
  [
    'program: store knows nothing above it',
    'apps/gemini-dash/src/store/store.ts',
    'apps/gemini-dash/src/server/start.ts',
  ],
  [
    'program: server knows nothing above it',
    'apps/gemini-dash/src/server/routes/route.ts',
    'apps/gemini-dash/src/commands/command.ts',
  ],
  [
    'store: catalog knows nothing above it',
    'apps/gemini-dash/src/store/catalog/catalog.ts',
    'apps/gemini-dash/src/store/library/library.ts',
  ],
  [
    'server: routes answer with what stands beside them',
    'apps/gemini-dash/src/server/routes/route.ts',
    'apps/gemini-dash/src/server/start.ts',
  ],
  [
    'server: the store knows no HTTP',
    'apps/gemini-dash/src/store/library/library.ts',
    'apps/gemini-dash/node_modules/fastify/index.js',
  ],
  [
    'server: security knows no domain',
    'apps/gemini-dash/src/server/security/guard.ts',
    'apps/gemini-dash/src/store/store.ts',
  ],
])('"%s" fires on its planted violation', (rule, from, to) => {
  expect(violated).toContainEqual({ rule, from, to })
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
  const { stdout } = spawnSync(process.execPath, args, { cwd: planted, encoding: 'utf8' })
  const { summary } = JSON.parse(stdout)
  return summary.violations.map((violation: { rule: { name: string }; from: string; to: string }) => ({
    rule: violation.rule.name,
    from: violation.from,
    to: violation.to,
  }))
}
