/** Lists nest one level in practice; deeper ones are damaged or foreign. */
const MAX_LIST_DEPTH = 8

/** A `PartListUnion` (string, part, or list of both) as a list of parts; strings become text parts. */
export function flattenContent(content: unknown, depth = 0): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  if (content === undefined || content === null) return []
  if (!Array.isArray(content) || depth === MAX_LIST_DEPTH) return [content]
  return content.flatMap((part) => flattenContent(part, depth + 1))
}
