import { isRawObject, type RawObject } from '../raw/raw-object.ts'

/**
 * The CLI's loader (0.44 to 0.61) reads the text of each message while it replays; where that throws, it
 * ignores the message. Only parts of impossible types do that.
 */
export function isLoadedByCli(row: RawObject): boolean {
  const { content } = row
  if (isRawObject(content) && isReadable(content)) {
    const isOtherThanText = PART_KINDS.some((kind) => content[kind] !== undefined)
    return isOtherThanText || typeof (content.text ?? '') === 'string'
  }
  return isReadable(content)
}

const PART_KINDS = [
  'videoMetadata',
  'thought',
  'codeExecutionResult',
  'executableCode',
  'fileData',
  'functionCall',
  'functionResponse',
  'inlineData',
]

function isReadable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isReadable)
  if (!isRawObject(value)) return true
  for (const kind of ['videoMetadata', 'thought', 'codeExecutionResult', 'executableCode', 'fileData']) {
    if (value[kind] !== undefined) return true
  }
  if (value.functionCall !== undefined) return value.functionCall !== null
  if (value.functionResponse !== undefined) return value.functionResponse !== null
  if (value.inlineData === undefined) return true
  if (value.inlineData === null) return false
  const mimeType = isRawObject(value.inlineData) ? value.inlineData.mimeType : undefined
  return mimeType === undefined || mimeType === null || typeof mimeType === 'string'
}
