import { isRawObject } from '../../../raw/raw-object.ts'

/** Own lines are short or quote the arguments; a sentence this long under different arguments is a manual. */
const SHORTEST_MANUAL = 60

/** Descriptions that stand on calls with different arguments: manuals of tools that we don't know (MCP, up to 0.34). */
export function findRepeatedDescriptions(toolCallLists: Iterable<unknown>): ReadonlySet<string> {
  const firstArgs = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const toolCalls of toolCallLists) {
    if (!Array.isArray(toolCalls)) continue
    for (const call of toolCalls) {
      if (!isRawObject(call)) continue
      const { description, args } = call
      if (typeof description !== 'string' || description.length < SHORTEST_MANUAL) continue
      if (repeated.has(description)) continue
      if (!firstArgs.has(description)) firstArgs.set(description, args)
      else if (isOtherArgs(firstArgs.get(description), args)) repeated.add(description)
    }
  }
  return repeated
}

/** Compares one level: enough to tell calls apart, and cheap. */
function isOtherArgs(first: unknown, second: unknown): boolean {
  const a = Object.entries(first ?? {})
  const b = new Map(Object.entries(second ?? {}))
  return a.length !== b.size || a.some(([name, value]) => typeof value !== 'object' && b.get(name) !== value)
}
