import { isRawObject } from '../../raw/raw-object.ts'

/** What the API said when it refused a request. */
export interface GeminiApiError {
  /** `400 INVALID_ARGUMENT`; '' where neither code nor status is told. */
  status: string
  message: string
}

/**
 * Reads the notice `[API Error: {...}]`. The CLI quotes the answer's JSON as it came; on the way through a proxy or a
 * library it may be wrapped as text in another such object. null: not of this form.
 */
export function readApiError(text: string): GeminiApiError | null {
  const quoted = /\[API Error: ([\s\S]*)\]/.exec(text)?.[1]?.trim()
  if (quoted === undefined) return null
  return toApiError(quoted, MAX_WRAPS) ?? { status: '', message: quoted.replace(/\s+/g, ' ') }
}

const MAX_WRAPS = 4

function toApiError(json: string, wrapsLeft: number): GeminiApiError | null {
  const value = parse(json)
  const error = isRawObject(value) ? (value.error ?? value) : null
  if (!isRawObject(error) || typeof error.message !== 'string') return null
  const inner = wrapsLeft > 0 ? toApiError(error.message, wrapsLeft - 1) : null
  if (inner !== null) return inner
  const parts = [error.code, error.status].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  return { status: parts.join(' '), message: error.message.replace(/\s+/g, ' ').trim() }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
