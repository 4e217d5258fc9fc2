import {
  cpSync,
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
import { fileURLToPath } from 'node:url'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import { runProgram } from '../../test/run-program.ts'
import { ArchiveControl } from '../keep/archive-control.ts'

let root: string
let home: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'export-raw-'))
  home = join(root, 'home')
})
afterEach(() => rmSync(root, { recursive: true }))

const DEMO = fileURLToPath(new URL('../../../../fixtures/home', import.meta.url))

function writeSession(path: string, id: string, words: string): string {
  const file = join(home, '.gemini/tmp', path)
  mkdirSync(dirname(file), { recursive: true })
  const time = '2026-03-01T10:00:00.000Z'
  const messages = [{ id: 'm1', timestamp: time, type: 'user', content: words }]
  const session = { sessionId: id, projectHash: 'f'.repeat(64), startTime: time, lastUpdated: time, messages }
  writeFileSync(file, JSON.stringify(session, null, 2))
  return readFileSync(file, 'utf8')
}

/** All files below a folder, by relative name. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort()
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Names as seen by a file system that ignores case and Unicode normalization. */
const folded = (names: Iterable<string>) =>
  [...names].map((name) => name.normalize('NFKC').toUpperCase().toLowerCase())

/** Names in the central directory of a zip. */
function namesIn(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.indexOf('PK\x01\x02'); at !== -1; at = zip.indexOf('PK\x01\x02', at + 4)) {
    names.push(zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28)).toString('utf8'))
  }
  return names
}

const run = (...args: string[]) =>
  runProgram(['export', '--format', 'raw', '--home', home, '--cache-dir', join(root, 'cache'), ...args])

async function exported(...args: string[]): Promise<Map<string, string>> {
  const out = join(root, 'out/')
  const { code, stderr } = await run(...args, '--out', out)
  expect([code, stderr]).toEqual([0, expect.stringContaining('Not redacted')])
  return filesIn(out)
}

describe('O2: raw files of one name', () => {
  test('in two folders leave once each, into a folder, a forced folder and a zip, with the same names', async () => {
    home = DEMO
    const out = join(root, 'one')
    const name = '2026-11-08-first-tests-for-the-cart-kJTnJwxboipo'
    const wanted = ['session-2026-11-08T17-30-cda50abb-2.json', 'session-2026-11-08T17-30-cda50abb.json']
    expect(await run('kJTnJwxboipo', '--out', out)).toMatchObject({ code: 0 })
    expect(readdirSync(join(out, name)).sort()).toEqual(wanted)
    const before = filesIn(out)
    const forced = await run('kJTnJwxboipo', '--out', out, '--force', '--json')
    const { files } = JSON.parse(forced.stdout) as { files: { path: string }[] }
    expect([new Set(files.map(({ path }) => path)).size, filesIn(out)]).toEqual([2, before])
    expect((await run('kJTnJwxboipo', '--out', `${out}.zip`)).code).toBe(0)
    expect(namesIn(readFileSync(`${out}.zip`)).sort()).toEqual(wanted.map((file) => `${name}/${file}`))
  })

  test('that differ in case, spelling or for this system alone leave once each', async () => {
    const names = [
      'session-Ab',
      'session-aB',
      'session-caf\u00e9',
      'session-cafe\u0301',
      'session-a:b?',
      'session-a_b_',
    ]
    const texts = names.map((name) => writeSession(`shop/chats/${name}.json`, 'one-id', 'Which of them?'))
    const files = await exported('one-id')
    expect(new Set(folded(files.keys())).size).toBe(names.length)
    expect([...files.values()].sort()).toEqual(texts.sort())
    expect([...files.keys()].filter((name) => /[:?\\]/.test(name))).toEqual([])
  })

  test('of several sessions and projects leave once each', async () => {
    const texts = ['shop', 'cart', 'Desk'].map((project) =>
      writeSession(`${project}/chats/session-2026-03-01T10-00-aaaa1111.json`, `id-of-${project}`, project),
    )
    const files = await exported('id-of-shop', 'id-of-cart', 'id-of-Desk')
    expect([...files.keys()]).toEqual([
      'session-2026-03-01T10-00-aaaa1111-2.json',
      'session-2026-03-01T10-00-aaaa1111-3.json',
      'session-2026-03-01T10-00-aaaa1111.json',
    ])
    expect([...files.values()].sort()).toEqual(texts.sort())
  })

  test('of two homes, and those that only the archive holds, leave once each by the page, too', async () => {
    const paths = ['shop', 'other'].map(
      (project) => `${project}/chats/session-2026-03-01T10-00-aaaa1111.json`,
    )
    const [first = '', second = ''] = paths
    const texts = [writeSession(first, 'one-id', 'Still here'), writeSession(second, 'one-id', 'Kept alone')]
    writeFileSync(join(home, '.gemini/tmp/shop/.project_root'), '/code/shop')
    writeFileSync(join(home, '.gemini/tmp/other/.project_root'), '/code/shop')
    const twoHomes = join(root, 'second')
    cpSync(home, twoHomes, { recursive: true })
    const server = await openTestServer({ home })
    const homes = findHomes({ homeArguments: [home], env: {}, userHome: '/nobody' })
    const data = join(root, 'data')
    const desk = new ArchiveControl({ dataFolder: data, homes, tell: () => {} })
    desk.change({ enabled: true })
    await desk.run()
    try {
      const { sessions } = (await (
        await fetch(`http://127.0.0.1:${server.port}/api/sessions?kind=all`, {
          headers: { cookie: server.cookie },
        })
      ).json()) as { sessions: { key: string }[] }
      for (const { key } of sessions) {
        const answer = await fetch(`http://127.0.0.1:${server.port}/api/sessions/${key}/export?format=raw`, {
          headers: { cookie: server.cookie },
        })
        const names = namesIn(Buffer.from(await answer.arrayBuffer()))
        expect(new Set(folded(names)).size).toBe(names.length)
      }
      const keys = sessions.map(({ key }) => key).join(',')
      const all = await fetch(`http://127.0.0.1:${server.port}/api/export?format=raw&keys=${keys}`, {
        headers: { cookie: server.cookie },
      })
      const names = namesIn(Buffer.from(await all.arrayBuffer()))
      expect([names.length, new Set(folded(names)).size]).toEqual([2, 2])
    } finally {
      await server.close()
    }
    for (const path of paths) rmSync(join(home, '.gemini/tmp', path))
    const files = await exported('--project', 'shop', '--data-dir', data, '--home', twoHomes)
    expect([...files.values()].sort()).toEqual([...texts, ...texts].sort())
    expect(new Set(folded(files.keys())).size).toBe(4)
  })
})
