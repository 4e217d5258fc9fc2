import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findHomes, scanHomes } from 'gemini-sessions/node'
import type { IndexGroup } from '../src/contract/index-group.ts'

/** Real homes of many CLI versions. */
export const FIXTURE_HOMES = fileURLToPath(new URL('../../../fixtures/homes/', import.meta.url))

/** Every session file of the homes, each a group of its own. */
export async function fixtureGroups(homes: string = FIXTURE_HOMES): Promise<IndexGroup[]> {
  const homeArguments = readdirSync(homes).map((name) => join(homes, name))
  const { files } = await scanHomes(findHomes({ homeArguments, env: {}, userHome: homes }))
  return files.map((file) => ({
    id: file.absolutePath,
    fingerprint: `${file.sizeBytes} ${file.mtimeNs}`,
    files: [file],
  }))
}
