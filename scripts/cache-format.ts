import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What makes rows, text and long sessions' answers of files: schemas, reader, prices, index, store. */
const FOLDERS = [
  ...['antigravity-sessions', 'api', 'gemini-sessions', 'pricing', 'session-index'].map(
    (name) => `packages/${name}/src`,
  ),
  'apps/gemini-dash/src/store',
]
/** Its parsers decide what is read of a record. */
const ZOD_VERSION = /^ {2}zod: .*$/m

/** For `define` of every build and of the tests: `packages/session-index/src/cache-format.ts` reads it. */
export function defineCacheFormat(root = ROOT): { __CACHE_FORMAT__: string } {
  return { __CACHE_FORMAT__: JSON.stringify(cacheFormat(root)) }
}

/** The same of the same sources, on any computer and in any folder. */
export function cacheFormat(root = ROOT): string {
  const zod = ZOD_VERSION.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))?.[0] ?? ''
  return hashOf([zod, ...FOLDERS.flatMap((folder) => sourcesIn(root, folder))])
}

/** Name and text of each, tests and what only they use left out. */
function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(\.test|-fixture)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
    .flatMap((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')])
}

function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32)
}
