/** Makes keys that are unique in their file: the id, then `id~2`, `id~3`; without id `~1`, `~2`. */
export function createKeys(): (id: string) => string {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (id) => {
    let count = counts.get(id) ?? 0
    let key: string
    do {
      count += 1
      key = id !== '' && count === 1 ? id : `${id}~${count}`
    } while (used.has(key))
    counts.set(id, count)
    used.add(key)
    return key
  }
}
