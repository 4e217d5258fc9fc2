import { isRawObject } from '../../raw/raw-object.ts'
import type { TextPlace } from './large-texts.ts'

/** What stands at a path in a row; undefined where that is not what it was. */
export function valueAt(row: unknown, { path, length }: Extract<TextPlace, { path: unknown }>): unknown {
  const value = path.reduce<unknown>(step, row)
  const isSame = (typeof value === 'string' || Array.isArray(value)) && value.length === length
  return isSame ? value : undefined
}

function step(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isRawObject(value) ? value[name] : undefined
}
