/** A message by its name in the merge, and when it was said (epoch milliseconds, NaN if unknown). */
export interface NamedTime {
  name: string
  timeMs: number
}

/** A message that the current file does not hold. */
export interface OlderMessage extends NamedTime {
  /** Live ones go where their time says, superseded ones and those without a time behind their predecessor. */
  isPlacedByTime: boolean
  /** The message before it in its own file; null for the first. */
  predecessor: string | null
}

/** The names of all messages in the order in which they are drawn (contract rule 2), whatever the number of older ones. */
export function insertOlder(current: readonly NamedTime[], older: readonly OlderMessage[]): string[] {
  const indexAt = lastIndexAtOrBefore(current.map(({ timeMs }) => timeMs))
  const byIndex = new Map<number, NamedTime[]>()
  const followers = new Map<string | null, string[]>()
  for (const message of older) {
    if (message.isPlacedByTime) addTo(byIndex, indexAt(message.timeMs), message)
    else addTo(followers, message.predecessor, message.name)
  }
  const names: string[] = []
  const pushWithFollowers = (name: string | null) => {
    const open = [name]
    while (open.length > 0) {
      const next = open.pop() ?? null
      if (next !== null) names.push(next)
      open.push(...(followers.get(next) ?? []).toReversed())
    }
  }
  const pushPlacedAt = (index: number) => {
    const placed = (byIndex.get(index) ?? []).sort((a, b) => a.timeMs - b.timeMs)
    for (const { name } of placed) pushWithFollowers(name)
  }
  pushWithFollowers(null)
  pushPlacedAt(-1)
  for (const [index, { name }] of current.entries()) {
    pushWithFollowers(name)
    pushPlacedAt(index)
  }
  return names
}

/** Times are not monotonic: the last index whose time is not later, or -1, is found over the earliest time from each index on. */
function lastIndexAtOrBefore(timesMs: readonly number[]): (timeMs: number) => number {
  const earliestFrom = new Array<number>(timesMs.length)
  let earliest = Number.POSITIVE_INFINITY
  for (let index = timesMs.length - 1; index >= 0; index -= 1) {
    const timeMs = timesMs[index] ?? Number.NaN
    if (timeMs < earliest) earliest = timeMs
    earliestFrom[index] = earliest
  }
  return (timeMs) => {
    let low = 0
    let high = timesMs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((earliestFrom[middle] ?? Number.POSITIVE_INFINITY) <= timeMs) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
