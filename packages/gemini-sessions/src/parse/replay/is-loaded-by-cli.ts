import { isRawObject, type RawObject } from '../../raw/raw-object.ts'

/**
 * The CLI's loader (0.44 to 0.61) reads the text of each message while it replays; where that throws, it
 * ignores the message. Only parts of impossible types do that.
 */
export function isLoadedByCli({ type, content }: RawObject): boolean {
  if (!isReadable(content)) return false
  const isTrimmed = type === 'user' || type === 'gemini'
  if (!isTrimmed || !isRawObject(content)) return true
  const { text } = content
  return (
    text === undefined ||
    text === null ||
    typeof text === 'string' ||
    NAMED_KINDS.some((kind) => content[kind] !== undefined)
  )
}

/** Kinds of parts that the CLI names before it looks at a text; of the first ones it reads nothing more. */
const PLAIN_KINDS = ['videoMetadata', 'thought', 'codeExecutionResult', 'executableCode', 'fileData']
const NAMED_KINDS = [...PLAIN_KINDS, 'functionCall', 'functionResponse', 'inlineData']

/** Lists some thousand levels deep overflow the stack, the CLI's as ours. */
const MAX_DEPTH = 1_000

function isReadable(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return depth < MAX_DEPTH && value.every((item) => isReadable(item, depth + 1))
  if (!isRawObject(value) || PLAIN_KINDS.some((kind) => value[kind] !== undefined)) return true
  if (value.functionCall !== undefined) return value.functionCall !== null
  if (value.functionResponse !== undefined) return value.functionResponse !== null
  if (value.inlineData === undefined) return true
  if (value.inlineData === null) return false
  const mimeType = isRawObject(value.inlineData) ? value.inlineData.mimeType : undefined
  return mimeType === undefined || mimeType === null || typeof mimeType === 'string'
}
