import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import type { LogEntry } from '../../row/log-entry.ts'
import { toCallRows } from '../../row/row-fields.ts'
import { flattenContent } from '../parts/plain-text.ts'

/** `functionCall` parts of a message (0.44+) that its `toolCalls` do not record; those without id are told by name and number. */
export function unrecordedCalls({ content, toolCalls }: LogEntry): RawObject[] {
  if (typeof content === 'string') return []
  const recorded = toCallRows(toolCalls)
  const ids = new Set(recorded.map((call) => call.id))
  const countOfName = new Map<unknown, number>()
  for (const { name } of recorded) countOfName.set(name, (countOfName.get(name) ?? 0) + 1)
  return flattenContent(content).flatMap((part) => {
    if (!isRawObject(part) || !isRawObject(part.functionCall)) return []
    const call = part.functionCall
    if (typeof call.id === 'string' && call.id !== '') return ids.has(call.id) ? [] : [call]
    const left = countOfName.get(call.name) ?? 0
    countOfName.set(call.name, left - 1)
    return left > 0 ? [] : [call]
  })
}
