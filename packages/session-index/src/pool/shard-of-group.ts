/** Which shard a group belongs to, always the same: FNV-1a of its id. */
export function shardOfGroup(groupId: string, shards: number): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < groupId.length; index++) {
    hash = Math.imul(hash ^ groupId.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash % shards
}
