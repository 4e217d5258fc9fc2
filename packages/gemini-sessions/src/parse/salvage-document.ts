import { isRawObject, type RawObject } from '../raw/raw-object.ts'
import { scanOpen } from './scan-open.ts'

/**
 * What is complete in a session document that was cut off: its fields and whole messages. A message that is cut goes,
 * half a text or half a number would pass for what the CLI wrote. null where no whole message stands before the cut.
 */
export function salvageDocument(text: string): { fields: RawObject; rows: readonly unknown[] } | null {
  const { safeEnd, safeClosing } = scanOpen(text)
  const document = tryParse(text.slice(0, safeEnd) + safeClosing)
  if (!isRawObject(document) || !Array.isArray(document.messages)) return null
  // Closings are innermost first: `}]}` at the end is a message that is open in a list of the document.
  const isMessageOpen = safeClosing.endsWith('}]}') && Object.keys(document).at(-1) === 'messages'
  const rows: unknown[] = isMessageOpen ? document.messages.slice(0, -1) : document.messages
  return rows.length > 0 ? { fields: document, rows } : null
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
