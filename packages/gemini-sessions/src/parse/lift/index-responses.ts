import { isRawObject } from '../../raw/raw-object.ts'
import { isResultMasked } from '../is-result-masked.ts'
import type { LogEntry } from '../log-entry.ts'
import { flattenContent } from './flatten-content.ts'

/** By call id, the parts of the `user` turn that brought the call's result (0.44+); unmasked ones first. */
export type Responses = ReadonlyMap<string, unknown>

export function indexResponses(entries: readonly LogEntry[]): Responses {
  const responses = new Map<string, unknown>()
  for (const { type, content, fullResults } of entries) {
    if (type !== 'user' || typeof content === 'string') continue
    for (const part of flattenContent(content)) {
      if (!isRawObject(part) || !isRawObject(part.functionResponse)) continue
      const { id } = part.functionResponse
      if (typeof id !== 'string' || id === '') continue
      const known = responses.get(id)
      if (known === undefined || isResultMasked(known, id)) responses.set(id, fullResults?.get(id) ?? content)
    }
  }
  return responses
}
