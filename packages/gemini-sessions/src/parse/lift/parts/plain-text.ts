import { isRawObject } from '../../../raw/raw-object.ts'
import { flattenContent } from './flatten-content.ts'

/** The text of a stored `content`, in one piece; thoughts and everything else left out. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = flattenContent(content).map((part) =>
    isRawObject(part) && part.thought !== true && typeof part.text === 'string' ? part.text : '',
  )
  return texts.join('')
}
