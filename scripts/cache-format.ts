import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What makes rows and text of files: schemas, reader, prices, index. */
const INDEX_FOLDERS = ['api', 'gemini-sessions', 'pricing', 'session-index'].map(
  (name) => `packages/${name}/src`,
)
/** What makes files beside the index of them. */
const STORE_FOLDERS = ['apps/gemini-dash/src/store']
/** Its parsers decide what is read of a record. */
const ZOD_VERSION = /^ {2}zod: .*$/m

/** For `define` of every build and of the tests: `packages/session-index/src/validity/cache-format.ts` reads it. */
export function defineCacheFormat(root = ROOT): { __CACHE_FORMAT__: string } {
  return { __CACHE_FORMAT__: JSON.stringify(cacheFormat(root)) }
}

/** The same of the same sources, on any computer and in any folder. */
export function cacheFormat(root = ROOT): { index: string; files: string } {
  const zod = ZOD_VERSION.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))?.[0] ?? ''
  const index = hashOf([zod, ...INDEX_FOLDERS.flatMap((folder) => sourcesIn(root, folder))])
  const files = hashOf([index, ...STORE_FOLDERS.flatMap((folder) => sourcesIn(root, folder))])
  return { index, files }
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
