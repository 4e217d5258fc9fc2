import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export function shardFileName(shard: number, shards: number): string {
  return `shard-${shard}-of-${shards}.db`
}

/** How many shards the folder was built with; null if it holds none. Files of other numbers are removed. */
export function readShardCount(directory: string): number | null {
  const files = readdirSync(directory).flatMap((name) => {
    const match = SHARD_FILE.exec(name)
    return match === null ? [] : [{ name, shards: Number(match[1]) }]
  })
  const tally = new Map<number, number>()
  for (const { shards } of files) tally.set(shards, (tally.get(shards) ?? 0) + 1)
  const [most] = [...tally].sort((a, b) => b[1] - a[1])
  const shards = most === undefined || most[0] < 1 || most[0] > MAX_SHARDS ? null : most[0]
  for (const file of files) {
    if (file.shards !== shards) rmSync(join(directory, file.name), { recursive: true, force: true })
  }
  return shards
}

export const MAX_SHARDS = 16

// The database, its journal and its lock.
const SHARD_FILE = /^shard-\d+-of-(\d+)\.db/
