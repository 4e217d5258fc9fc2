/** FNV-1a of a group's id, unsigned, of 32 bits: always the same, wherever the index is. */
export function hashGroup(groupId: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < groupId.length; index++) {
    hash = Math.imul(hash ^ groupId.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash
}
