import type { Problems } from './problems.ts'

/** Deeper JSON than this is kept as text: recursive code downstream would overflow its stack. */
const MAX_DEPTH = 200
/** The same for values with more in them: what looks at each field takes minutes for half a million of them. */
const MAX_VALUES = 50_000

/** The value itself or, where it is nested too deeply or has too many fields, its JSON text. */
export function guardDepth(value: unknown, at: string, problems: Problems): unknown {
  if (isDeeperThan(value, MAX_DEPTH)) {
    problems.addIssue('too-deep', at, { maxDepth: MAX_DEPTH })
    return toJsonText(value)
  }
  if (countValues(value, MAX_VALUES) <= MAX_VALUES) return value
  const text = toJsonText(value)
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
function toJsonText(root: unknown): string {
  const text: string[] = []
  const todo: ({ value: unknown } | { text: string })[] = [{ value: root }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ('text' in next) text.push(next.text)
    else if (typeof next.value !== 'object' || next.value === null) text.push(JSON.stringify(next.value))
    else for (const step of toSteps(next.value).reverse()) todo.push(step)
  }
  return text.join('')
}

function toSteps(value: object): ({ value: unknown } | { text: string })[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => [{ text: index === 0 ? '' : ',' }, { value: item }])
    return [{ text: '[' }, ...items, { text: ']' }]
  }
  const fields = Object.entries(value).flatMap(([name, field], index) => [
    { text: `${index === 0 ? '' : ','}${JSON.stringify(name)}:` },
    { value: field },
  ])
  return [{ text: '{' }, ...fields, { text: '}' }]
}
