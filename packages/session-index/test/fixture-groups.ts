import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findHomes, scanHomes } from 'gemini-sessions/node'
import type { IndexGroup } from '../src/contract.ts'

/** Real homes of many CLI versions. */
export const FIXTURE_HOMES = fileURLToPath(new URL('../../../fixtures/homes/', import.meta.url))

/** Every session file of the homes, each as a separate group. `below`: path of the home in each folder. */
export async function fixtureGroups(homes: string = FIXTURE_HOMES, below = ''): Promise<IndexGroup[]> {
  const homeArguments = readdirSync(homes).map((name) => join(homes, name, below))
  const { files } = await scanHomes(findHomes({ homeArguments, env: {}, userHome: homes }))
  return files.map((file) => ({
    id: file.absolutePath,
    fingerprint: `${file.sizeBytes} ${file.mtimeNs}`,
    files: [file],
  }))
}
