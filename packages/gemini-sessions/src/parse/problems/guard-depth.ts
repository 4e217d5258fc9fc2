import type { Problems } from './problems.ts'

/** Deeper JSON than this is kept as text: recursive code downstream would overflow its stack. */
const MAX_DEPTH = 200
/** The same for values with more in them: what looks at each field takes minutes for half a million of them. */
const MAX_VALUES = 50_000

/** The value itself or, where it is nested too deeply or has too many fields, its JSON text. */
export function guardDepth(value: unknown, at: string, problems: Problems): unknown {
  if (isDeeperThan(value, MAX_DEPTH)) {
    problems.addIssue('too-deep', at, { maxDepth: MAX_DEPTH })
    return toDeepJsonText(value)
  }
  if (countValues(value, MAX_VALUES) <= MAX_VALUES) return value
  const text = JSON.stringify(value)
  problems.addIssue('too-large', at, { sizeBytes: text.length })
  return text
}

/** Of a value that is not deep; counts a little further than `limit` at most. */
function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const child of Object.values(value)) {
    if (count > limit) break
    count += countValues(child, limit - count)
  }
  return count
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const child of Object.values(value)) if (isDeeperThan(child, depth - 1)) return true
  return false
}

/** `JSON.stringify` without recursion: the built-in one overflows at some thousand levels. */
function toDeepJsonText(root: unknown): string {
  const text: string[] = []
  const open: OpenValue[] = []
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) text.push(JSON.stringify(value))
    else {
      const isList = Array.isArray(value)
      text.push(isList ? '[' : '{')
      open.push({ entries: Object.entries(value), next: 0, isList })
    }
  }
  add(root)
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const entry = last.entries[last.next]
    if (entry === undefined) {
      text.push(last.isList ? ']' : '}')
      open.pop()
      continue
    }
    if (last.next > 0) text.push(',')
    if (!last.isList) text.push(JSON.stringify(entry[0]), ':')
    last.next += 1
    add(entry[1])
  }
  return text.join('')
}

interface OpenValue {
  entries: [name: string, value: unknown][]
  next: number
  isList: boolean
}
