import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readDatabaseSum } from '../shard/database/database-sum.ts'

/** The random name that the databases of this folder carry, so that none from elsewhere is taken for one of them. */
export function readFolderId(directory: string): string {
  const sums = readdirSync(directory)
    .filter((name) => name.endsWith('.db'))
    .flatMap((name) => readDatabaseSum(join(directory, name)) ?? [])
  return sums[0]?.folderId ?? randomUUID()
}
