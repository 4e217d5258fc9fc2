import type { LineChange } from '../../model/insights/touched-file.ts'

/** Beyond so many changed lines the fewest are not looked for: it would take seconds. */
const MAX_CHANGES = 2_000

/**
 * The fewest lines that must come and go to make one text of the other (Myers: the shortest edit script). null where
 * that would take too long.
 */
export function countLineChanges(before: string, after: string): LineChange | null {
  const [old, now] = trimCommon(toLines(before), toLines(after))
  const changes = shortestScript(old, now)
  if (changes === null) return null
  const linesAdded = (changes + now.length - old.length) / 2
  return { linesAdded, linesRemoved: changes - linesAdded }
}

function toLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

function trimCommon(old: string[], now: string[]): [string[], string[]] {
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  const shorter = Math.min(old.length, now.length) - head
  while (tail < shorter && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  return [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
}

/** Length of the shortest edit script: how far each diagonal gets with so many changes. */
function shortestScript(old: string[], now: string[]): number | null {
  if (old.length === 0 || now.length === 0) return old.length + now.length
  const most = Math.min(old.length + now.length, MAX_CHANGES)
  const middle = most + 1
  const reach = new Int32Array(2 * most + 3)
  for (let changes = 0; changes <= most; changes++) {
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const below = reach[middle + diagonal - 1] ?? 0
      const above = reach[middle + diagonal + 1] ?? 0
      const isDown = diagonal === -changes || (diagonal !== changes && below < above)
      let x = isDown ? above : below + 1
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++
      reach[middle + diagonal] = x
      if (x >= old.length && x - diagonal >= now.length) return changes
    }
  }
  return null
}
