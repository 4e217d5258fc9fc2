import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const MAX_FILES = 15
const MAX_LINES = 250
/** Longer than they should be. They may shrink; none may come. */
const STILL_LONGER = [
  'apps/gemini-dash/src/store/indexing/indexing.ts',
  'apps/gemini-dash/src/store/library-store.ts',
  'apps/gemini-dash/src/store/library/library.ts',
  'apps/web/src/features/conversation/rows/build-rows.ts',
  'packages/gemini-sessions/src/parse/json/json-stream.ts',
  'packages/gemini-sessions/src/parse/replay/replay-log.ts',
  'packages/session-index/src/pool/shard-client.ts',
  'packages/session-index/src/shard/shard.ts',
  'packages/session-index/src/shard/store/shard-store.ts',
]
/** Names another file of the repository, for its value or for its types. */
const IMPORT = /(?:from|import|import\()\s*'(\.{1,2}\/[^'?]+\.(?:ts|tsx|mjs|cjs))'/g

const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(?:apps|packages|scripts|faults)\/.*\.(?:ts|tsx|mjs|cjs)$/.test(path))
  .filter((path) => !/\.test\.tsx?$|-fixture\.ts$|\.d\.[mc]?ts$|\/test\//.test(path))
  .filter((path) => existsSync(join(ROOT, path)))

test('no folder has more than 15 source files beside each other', () => {
  const counts = new Map<string, number>()
  for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([])
})

test('no source file has more than 250 lines', () => {
  const long = sources.filter((path) => read(path).trimEnd().split('\n').length > MAX_LINES)
  expect(long.filter((path) => !STILL_LONGER.includes(path))).toEqual([])
  expect(STILL_LONGER.filter((path) => !long.includes(path))).toEqual([])
})

test('no room needs another room that needs it, types included', () => {
  const needs = new Map<string, Set<string>>()
  for (const path of sources.filter((source) => /^(?:apps|packages)\/[^/]+\/src\//.test(source))) {
    const room = dirname(path)
    const others = [...read(path).matchAll(IMPORT)].map(([, to = '']) => dirname(join(room, to)))
    needs.set(room, new Set([...(needs.get(room) ?? []), ...others.filter((other) => other !== room)]))
  }
  expect(circlesOf(needs)).toEqual([])
})

/** Each as the rooms on the way, the first one again at its end. */
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

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
