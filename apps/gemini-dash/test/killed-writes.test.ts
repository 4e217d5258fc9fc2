import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../fixtures/seeded-random.ts'
import { HomeJournal } from '../src/home-writes/home-journal.ts'
import { runProgram, startProgram } from './run-program.ts'

/** Set HOME_KILLS=50 for more kills in a manual run. */
const KILLS = Number(process.env.HOME_KILLS ?? 2)
/** About the time it takes to write them. */
const WINDOW_MS = 400

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

// `cut-off-commands` of the fault kit kills the other commands that write to the Gemini folder at each of their steps.
test(
  'killed at any moment, fork leaves no half file, loses nothing, and can be undone',
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'killed-')))
    const [home, data, cache] = ['.gemini', 'data', 'cache'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    const where = ['--home', home, '--data-dir', data, '--cache-dir', cache]
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), text)
      utimesSync(join(home, path), 1_790_000_000, 1_790_000_000)
    }
    write('tmp/shop/.project_root', join(root, 'shop'))
    const first = '00000000'
    write(`tmp/shop/chats/session-2026-11-20T10-00-${first}.jsonl`, session(first))
    for (const name of ['one', 'two', 'six']) write(`tmp/shop/chats/${first}/${name}.jsonl`, session(name))
    const before = contentOf(home)
    const journal = new HomeJournal(data)
    const random = seededRandom(4)
    let broken = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const known = journal.entries().length
      const { child, finished } = startProgram(['fork', first, '--at', '300', '--write', ...where])
      while (journal.entries().length === known && child.exitCode === null) await setTimeout(1)
      await setTimeout(random.next() * WINDOW_MS)
      child.kill('SIGKILL')
      await finished
      const entries = journal.entries().slice(known)
      const promised = new Map(
        entries.flatMap(({ files }) =>
          files.map(({ parts, sha256: hash }) => [parts.join('/'), hash] as const),
        ),
      )
      const there = contentOf(home)
      for (const [path, hash] of there)
        if (!path.endsWith('.part') && !before.has(path))
          expect([path, hash]).toEqual([path, promised.get(path)])
      if (entries.some(({ done }) => done === null)) broken += 1

      const [last] = entries.slice(-1)
      const undone = await runProgram(['move', '--undo', last?.batch ?? last?.id ?? '', ...where])
      // An incomplete batch was removed before.
      const isDone = entries.filter(({ done }) => done !== null).length === (last?.of ?? 1)
      expect([undone.stderr, undone.code]).toEqual(
        isDone ? ['', 0] : [expect.stringContaining('There is no write'), 1],
      )
      expect(contentOf(home)).toEqual(before)
    }
    if (process.env.HOME_KILLS !== undefined) console.log(`${broken} of ${KILLS} in the midst of a file`)
    rmSync(root, { recursive: true, force: true })
  },
  KILLS * 60_000,
)

/** About 700 KB. */
function session(id: string): string {
  const metadata = {
    sessionId: id,
    projectHash: 'f'.repeat(64),
    startTime: '2026-11-20T10:00:00.000Z',
    lastUpdated: '2026-11-20T10:00:00.000Z',
    kind: /^\d/.test(id) ? 'main' : 'subagent',
  }
  const rows = Array.from({ length: 700 }, (_, number) => ({
    id: `${id}-${number}`,
    timestamp: '2026-11-20T10:00:00.000Z',
    type: number % 2 === 0 ? 'user' : 'gemini',
    content: `${number} `.repeat(200),
  }))
  return [metadata, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** Hashes by path of everything below a folder. */
function contentOf(folder: string): Map<string, string> {
  const entries = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    : []
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), sha256(readFileSync(path))]),
  )
}
