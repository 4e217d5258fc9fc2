import { isRawObject } from '../../../raw/raw-object.ts'

/** Lists nest one level in practice; deeper ones are damaged or foreign. */
const MAX_LIST_DEPTH = 8

/** The text of a stored `content`, in one piece; thoughts and everything else left out. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = flattenContent(content).map((part) =>
    isRawObject(part) && part.thought !== true && typeof part.text === 'string' ? part.text : '',
  )
  return texts.join('')
}

/** A `PartListUnion` (string, part, or list of both) as a list of parts; strings become text parts. */
export function flattenContent(content: unknown): unknown[] {
  const parts: unknown[] = []
  addParts(content, 0, parts)
  return parts
}

function addParts(content: unknown, depth: number, parts: unknown[]): void {
  if (typeof content === 'string') {
    if (content !== '') parts.push({ text: content })
  } else if (Array.isArray(content) && depth < MAX_LIST_DEPTH) {
    for (const part of content) addParts(part, depth + 1, parts)
  } else if (content !== undefined && content !== null) parts.push(content)
}
