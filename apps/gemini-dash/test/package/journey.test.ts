import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SessionList } from '@gemini-dash/api'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixtureHome } from '../open-test-server.ts'
import { AGAIN_AFTER_FORCE, expectOwnEnd } from '../own-end.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const NODES = fileURLToPath(new URL('../../../../tools/newer-node/node_modules/', import.meta.url))
const MOST_BYTES = 12_000_000

interface Packed {
  filename: string
  files: { path: string }[]
}

let folder: string
let packed: Packed
let program: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-journey-'))
  packed = JSON.parse(npm(PACKAGE, 'pack', '--json', '--pack-destination', folder))[0]
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', tarball())
  program = join(folder, 'node_modules', 'gemini-dash', 'dist', 'cli.js')
  cpSync(fixtureHome('0.61.0'), join(folder, 'user'), { recursive: true })
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tarball = () => join(folder, packed.filename)

describe('D6: the tarball', () => {
  test('satisfies publint, and its manifest names nothing of this workspace', async () => {
    const data = readFileSync(tarball())
    const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer
    const { messages } = await publint({ pack: { tarball: bytes }, strict: true })
    expect(messages).toEqual([])
    const manifest = JSON.parse(readFileSync(join(dirname(program), '..', 'package.json'), 'utf8'))
    expect(JSON.stringify(manifest)).not.toMatch(/catalog:|workspace:/)
    expect([manifest.dependencies, manifest.devDependencies, manifest.scripts]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(manifest.repository.url).toMatch(/^git\+https:/)
  })

  test('holds README, licence, notices, man page and schemas, no source maps, and installs nothing beside itself', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const path of [
      'README.md',
      'LICENSE',
      'dist/THIRD_PARTY_NOTICES.txt',
      'dist/gemini-dash.1',
      'dist/schemas/SessionList.json',
    ])
      expect(paths).toContain(path)
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([])
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'gemini-dash',
    ])
  })

  test.skipIf(process.platform === 'win32')('its man page is where man looks after npm install -g', () => {
    const prefix = join(folder, 'global')
    npm(folder, 'install', '--global', '--prefix', prefix, '--offline', '--no-audit', '--no-fund', tarball())
    const page = readFileSync(join(prefix, 'share', 'man', 'man1', 'gemini-dash.1'), 'utf8')
    expect(page).toMatch(/^\.TH GEMINI/)
  })

  test('takes at most 12 MB installed', () => {
    expect(bytesBelow(join(folder, 'node_modules', 'gemini-dash'))).toBeLessThan(MOST_BYTES)
  })

  test('leaves the manifest of the repository as it was', () => {
    expect(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).devDependencies).toBeDefined()
  })
})

describe('a stranger installs it, looks around and takes it away', () => {
  test.each([
    ['this Node', process.execPath],
    ['Node 22', nodeOf('22-')],
    ['Node 24', nodeOf('')],
  ])('%s lists, shows and searches', (_name, node) => {
    if (!existsSync(node)) return expect(process.platform).not.toBe('linux')
    const list: SessionList = JSON.parse(ask(node, 'list', '--json'))
    expect(list.sessions.length).toBeGreaterThan(2)
    const key = list.sessions.find(({ counts }) => (counts?.prompts ?? 0) > 0)?.key ?? ''
    expect(ask(node, 'show', key)).toContain('price')
    expect(ask(node, 'search', 'price')).toContain('price')
  })

  test.each([
    ['this Node', process.execPath],
    ['Node 22', nodeOf('22-')],
    ['Node 24', nodeOf('')],
  ])(
    '%s serves: signing in opens a session, and it ends when it is told to',
    AGAIN_AFTER_FORCE,
    async (_name, node) => {
      if (!existsSync(node)) return expect(process.platform).not.toBe('linux')
      const child = spawn(node, [program, 'serve', '--json', '--no-open', '--port', '0', '--new'], {
        env: environment(),
      })
      try {
        const { url } = JSON.parse(await firstLine(child))
        expect((await fetch(new URL('/api/sessions', url))).status).toBe(403)
        const signedIn = await fetch(url, { redirect: 'manual' })
        const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
        const get = (path: string) => fetch(new URL(path, url), { headers: { cookie } })
        const { sessions } = (await (await get('/api/sessions')).json()) as SessionList
        const session = await get(`/api/sessions/${sessions[0]?.key}`)
        expect(await session.json()).toMatchObject({ session: { key: sessions[0]?.key } })
        const page = await (await get(`/s/${sessions[0]?.key}`)).text()
        expect(page).toContain('<script')
      } finally {
        child.kill('SIGTERM')
      }
      const [code, signal] = await once(child, 'exit')
      if (process.platform !== 'win32') expectOwnEnd({ code, signal })
    },
  )

  test('what is left are the folders that the README names, and the home as it was', () => {
    npm(folder, 'uninstall', '--offline', '--no-audit', '--no-fund', 'gemini-dash')
    expect(existsSync(program)).toBe(false)
    expect(treeOf(join(folder, 'user', '.gemini'))).toEqual(treeOf(join(fixtureHome('0.61.0'), '.gemini')))
    if (process.platform !== 'linux') return
    const left = readdirSync(join(folder, 'user'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'user').length + 1))
      .filter((path) => !path.startsWith('.gemini/'))
    expect(left.length).toBeGreaterThan(0)
    const named = [
      ...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(
        /\| Linux \| `~\/([^`]+)` \| `~\/([^`]+)` \|/g,
      ),
    ]
    const folders = named.flatMap(([, cache = '', data = '']) => [`${cache}/`, `${data}/`])
    expect(left.filter((path) => !folders.some((each) => path.startsWith(each)))).toEqual([])
  })
})

/** `before`: which of the Node.js versions provided by npm. */
function nodeOf(before: string): string {
  const isWindows = process.platform === 'win32'
  const name = `node-${before}${isWindows ? 'win' : process.platform}-${process.arch}`
  return join(NODES, name, 'bin', isWindows ? 'node.exe' : 'node')
}

function environment(): Record<string, string> {
  const home = join(folder, 'user')
  mkdirSync(home, { recursive: true })
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: join(home, 'local'),
    CI: 'true',
  }
}

function ask(node: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(node, [program, ...args], {
    env: environment(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('It says nothing.')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('It ended without a line.')
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
}

function bytesBelow(path: string): number {
  return filesBelow(path).reduce((sum, file) => sum + statSync(file).size, 0)
}

function treeOf(path: string): [string, string][] {
  return filesBelow(path).map((file) => [file.slice(path.length), readFileSync(file, 'latin1')])
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
