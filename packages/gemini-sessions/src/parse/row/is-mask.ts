import { isRawObject } from '../../raw/raw-object.ts'

/** The note that the CLI writes in place of a long output (0.29+). */
export function isMask(response: unknown): boolean {
  const texts = isRawObject(response) ? Object.values(response) : [response]
  return texts.some((text) => typeof text === 'string' && text.trimStart().startsWith('<tool_output_masked'))
}
