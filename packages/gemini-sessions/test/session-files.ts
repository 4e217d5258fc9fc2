import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface FixtureFile {
  /** In fixtures/homes, `/` on every system. */
  path: string
  absolutePath: string
  bytes: Uint8Array
}

const HOMES = fileURLToPath(new URL('../../../fixtures/homes', import.meta.url))

/** Every session file in the homes written by real CLI versions. */
export function readFixtureFiles(): FixtureFile[] {
  return readdirSync(HOMES, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\/chats\/.*\.jsonl?$/.test(path))
    .sort()
    .map((path) => {
      const absolutePath = join(HOMES, path)
      return { path, absolutePath, bytes: new Uint8Array(readFileSync(absolutePath)) }
    })
}

/** The only file whose path starts with the home's name and contains the given piece. */
export function readFixtureFile(home: string, piece: string): FixtureFile {
  const found = readFixtureFiles().filter(({ path }) => path.startsWith(`${home}/`) && path.includes(piece))
  const [file] = found
  if (!file || found.length > 1) throw new Error(`${found.length} files in ${home} match ${piece}`)
  return file
}
