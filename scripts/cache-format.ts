import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The code that determines cached rows, text and answers: schemas, reader, prices, index, store. */
const FOLDERS = [
  ...['antigravity-sessions', 'api', 'gemini-sessions', 'pricing', 'session-index'].map(
    (name) => `packages/${name}/src`,
  ),
  'apps/gemini-dash/src/store',
]
/** Its parsers determine what is read from a record. */
const ZOD_VERSION = /^ {2}zod: .*$/m

/** For `define` in every build and in the tests: read by `packages/session-index/src/cache-format.ts`. */
export function defineCacheFormat(root = ROOT): { __CACHE_FORMAT__: string } {
  return { __CACHE_FORMAT__: JSON.stringify(cacheFormat(root)) }
}

/** The same for equal sources, on any computer and in any folder. */
export function cacheFormat(root = ROOT): string {
  const zod = ZOD_VERSION.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))?.[0] ?? ''
  return hashOf([zod, ...FOLDERS.flatMap((folder) => sourcesIn(root, folder))])
}

/** Name and text of each source, without tests. */
function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
    .flatMap((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')])
}

function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32)
}
