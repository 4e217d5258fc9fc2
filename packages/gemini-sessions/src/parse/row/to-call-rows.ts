import { isRawObject, type RawObject } from '../../raw/raw-object.ts'

export function toCallRows(toolCalls: unknown): RawObject[] {
  return Array.isArray(toolCalls) ? toolCalls.filter(isRawObject) : []
}
