import { QUOTES, unquote, WITHIN_QUOTES } from './quoted.ts'

export interface FieldValue {
  isNegated: boolean
  /** In lower case; not yet known to be a filter. */
  field: string
  /** Cut at commas, without quotes. */
  values: string[]
  valueStart: number
  end: number
}

const NAME = /(-?)([A-Za-z][A-Za-z-]*):/y
const VALUE = new RegExp(`(?:[${QUOTES}]${WITHIN_QUOTES}[${QUOTES}]|[^\\s${QUOTES}])*`, 'uy')
const VALUE_PART = new RegExp(`[${QUOTES}](${WITHIN_QUOTES})[${QUOTES}]|(,)|([^,${QUOTES}]+)`, 'gu')

/** `name:value` at this place of a query; null if none stands there. */
export function readFieldValue(text: string, at: number): FieldValue | null {
  NAME.lastIndex = at
  const name = NAME.exec(text)
  if (name === null) return null
  VALUE.lastIndex = NAME.lastIndex
  const written = VALUE.exec(text)?.[0] ?? ''
  const valueStart = at + name[0].length
  return {
    isNegated: name[1] === '-',
    field: (name[2] ?? '').toLowerCase(),
    values: splitValues(written),
    valueStart,
    end: valueStart + written.length,
  }
}

/** Commas part values, but not within quotes. */
function splitValues(written: string): string[] {
  const values = ['']
  for (const [, quoted, comma, plain] of written.matchAll(VALUE_PART)) {
    if (comma !== undefined) values.push('')
    else values.push((values.pop() ?? '') + (unquote(quoted ?? '') || (plain ?? '')))
  }
  return values.map((value) => value.trim()).filter((value) => value !== '')
}
