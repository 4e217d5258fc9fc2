import { isRawObject, type RawObject } from '../../raw/raw-object.ts'

/** The note that the CLI writes in place of a long output (0.29+). */
export function isMask(response: unknown): boolean {
  const texts = isRawObject(response) ? Object.values(response) : [response]
  return texts.some((text) => typeof text === 'string' && text.trimStart().startsWith('<tool_output_masked'))
}

/**
 * The output of this call was replaced by a short note (0.29+, long sessions). `result` is a call's stored
 * result or a user turn's parts; it may hold the results of all calls of the turn.
 */
export function isResultMasked(result: unknown, callId: unknown): boolean {
  const responses = toResponses(result)
  const own = responses.filter((response) => response.id === callId)
  return (own.length > 0 ? own : responses).some((response) => isMask(response.response))
}

function toResponses(result: unknown): RawObject[] {
  const parts = Array.isArray(result) ? result : [result]
  return parts.map((part) => (isRawObject(part) ? part.functionResponse : null)).filter(isRawObject)
}
