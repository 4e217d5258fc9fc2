import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { manPage } from '../apps/gemini-dash/build/man-page.ts'
import { parseCommandLine } from '../apps/gemini-dash/src/command-line/run-command-line.ts'
import { FAILURE_CODES } from '../apps/gemini-dash/src/terminal/cli-error.ts'
import manifest from '../package.json' with { type: 'json' }
import { fingerprintOfShown } from './steps/fingerprint-of-shown.mjs'

/** Imported by URL: its neighbors need browser types, which these tests do not have. */
const table: {
  keyGroups: { title: string; place: string }[]
  pagePlaces: { title: string; place: string }[]
  keyedActions: (place: string) => { keys: string[]; words: string }[]
  keylessActions: (place: string) => { words: string }[]
} = await import(new URL('../apps/web/src/lib/action-table.ts', import.meta.url).href)

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'apps/gemini-dash/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`),
]

test.each(PAGES)('%s leads to what is there', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link.split('#')[0] ?? '')
  const local = links.filter((link) => link !== '' && !link.includes(':'))
  expect(local.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([])
  const own = links.flatMap((link) => link.match(/(?:blob\/HEAD|gemini-dash\/HEAD)\/(.+)/)?.[1] ?? [])
  expect(own.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test.each(PAGES)('%s names scripts and files of this repository that there are', (page) => {
  const text = read(page)
  const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
  const files = [...text.matchAll(/(?:node|npx tsx) ((?:scripts|fixtures|apps)\/[\w./-]+\.(?:mjs|ts))/g)]
  expect(files.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('source files that a decision page names are there', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const named = PAGES.filter((page) => page.startsWith('docs/decisions/')).flatMap((page) =>
    [...read(page).matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, name = '']) => `${page}: ${name}`),
  )
  const isThere = (name: string) => files.some((file) => `/${file}`.endsWith(`/${name.split(': ')[1]}`))
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !isThere(name))).toEqual([])
})

test('docs/how-to.md names files and folders that there are', () => {
  const named = [...read('docs/how-to.md').matchAll(/`((?:packages|apps|fixtures|docs)\/[\w./-]+)`/g)]
  expect(named.length).toBeGreaterThan(40)
  expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('every name that packages/api exports says what it is; a schema and its type may share that', () => {
  const folder = join(root, 'packages/api/src')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const exported = new Set<string>()
  const documented = new Set<string>()
  for (const path of sources) {
    const source = readFileSync(join(folder, path), 'utf8')
    for (const [, comment, mark, name = ''] of source.matchAll(
      /(\*\/\n)?^(export )?(?:const|function|type|interface) (\w+)/gm,
    )) {
      const noun = `${path}: ${name.replace(/Schema$/, '').toLowerCase()}`
      if (mark !== undefined) exported.add(noun)
      if (comment !== undefined) documented.add(noun)
    }
  }
  expect(exported.size).toBeGreaterThan(80)
  expect([...exported].filter((noun) => !documented.has(noun))).toEqual([])
})

test('the README is read in four minutes', () => {
  expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(900)
})

test.each(['docs/commands.md', 'apps/gemini-dash/README.md'])(
  'every command in %s is one that the program takes',
  (page) => {
    const blocks = [...read(page).matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
      block.split('\n'),
    )
    const lines = blocks.filter((line) => /^(?:npx )?gemini-dash\b/.test(line))
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) {
      const words = (line.replace(/\s+#.*$/, '').match(/'[^']*'|\S+/g) ?? []).map((word) =>
        word.replaceAll("'", ''),
      )
      const args = words.slice(words.indexOf('gemini-dash') + 1)
      expect([line, parseCommandLine(args).kind]).toEqual([line, args[0] === 'help' ? 'print' : 'run'])
    }
  },
)

test.each(['README.md', 'docs/commands.md', 'apps/gemini-dash/README.md'])(
  'every option that %s names is one of the program',
  (page) => {
    const text = read(page).replaceAll(/`npm [^`]*`/g, '')
    const topics = [
      'serve',
      'list',
      'show',
      'search',
      'usage',
      'doctor',
      'url',
      'recover',
      'move',
      'fork',
      'options',
    ]
    const help = topics
      .map((name) => parseCommandLine(['help', name]))
      .map((line) => (line.kind === 'print' ? line.text : ''))
      .join('\n')
    const named = [...text.matchAll(/(?<=[`\s])--[a-z][a-z-]+/g)].map(([option]) => option)
    const elsewhere = ['--offline', '--resume', '--session-file']
    const unknown = named.filter((option) => !help.includes(option) && !elsewhere.includes(option))
    expect(unknown).toEqual([])
  },
)

test.each(['GEMINI_SESSIONS_DIR', 'GEMINI_CLI_HOME', 'FORCE_COLOR', 'NO_COLOR'])(
  'the variable %s is described where the program reads it',
  (name) => {
    expect(read('docs/contract.md')).toContain(`\`${name}\``)
    const sources = [
      'packages/gemini-sessions/src/node/scan/find-homes.ts',
      'apps/gemini-dash/src/terminal/cli-error.ts',
    ]
    expect(sources.some((path) => read(path).includes(name))).toBe(true)
  },
)

test('the contract and the man page tell each exit code', () => {
  const codes = ['0', ...FAILURE_CODES.map(String)]
  const [, table = ''] = /\| exit code \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(read('docs/contract.md')) ?? []
  expect([...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code)).toEqual(codes)
  const [, status = ''] = manPage().split('.SH EXIT STATUS')
  expect([...status.matchAll(/^\.B (\d+)$/gm)].map(([, code]) => code)).toEqual(codes)
})

test('the pictures of the README show the sample sessions as they are: else npm run screenshots makes them anew', () => {
  expect(JSON.parse(read('docs/pictures.json'))).toEqual({ shown: fingerprintOfShown() })
})

test('docs/keys.md tells every key and action of the page, and no other', () => {
  const rowsOf = (place: string) =>
    table.keyedActions(place).map(({ keys, words }) => `| ${keys.map(asTyped).join(' or ')} | ${words} |`)
  const told = table.keyGroups.map(({ title, place }) =>
    [`## ${title}`, '', '| key | does |', '|---|---|', ...rowsOf(place)].join('\n'),
  )
  const page = read('docs/keys.md')
  const [keys, palette] = page.slice(page.indexOf('## ')).split('# By the palette alone')
  expect(keys?.trim()).toEqual(told.join('\n\n'))
  const listed = table.pagePlaces.map(({ title, place }) =>
    [`## ${title}`, '', ...table.keylessActions(place).map(({ words }) => `- ${words}`)].join('\n'),
  )
  expect(palette?.slice(palette.indexOf('## ')).trim()).toEqual(listed.join('\n\n'))
})

function asTyped(keys: string): string {
  return `\`${keys.replace('$mod', 'Ctrl').replace('Shift+?', '?')}\``
}
