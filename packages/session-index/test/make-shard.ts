import type { Session } from 'gemini-sessions'
import type { IndexGroup } from '../src/contract.ts'
import { Shard, type ShardOptions } from '../src/shard/shard.ts'

/** A shard in memory over sessions given by a test: group `id` reads as `sessions.get(id)`. */
export function makeShard(sessions: Map<string, Session[]>, given: Partial<ShardOptions> = {}): Shard {
  return new Shard({
    path: null,
    folderId: 'folder',
    driver: 'node-sqlite3-wasm',
    readGroup: async ({ id }) => sessions.get(id) ?? [],
    onProblem: () => {},
    onLost: () => {},
    onUnread: () => {},
    ...given,
  })
}

export function makeGroup(id: string, fingerprint = '1'): IndexGroup {
  return { id, fingerprint, files: [] }
}
