import { type SearchField, searchFieldSchema } from '@gemini-dash/api'
import { type DateContext, readDate } from '@gemini-dash/api/read-date'
import { sessionProgramSchema } from 'gemini-sessions'
import type { QueryFilter, QueryTree } from './tree.ts'

/** Straight, German, French and English quotes open and close a phrase or a value. */
export const QUOTES = '"“”„«»'

/** The content of a quoted text, in which a backslash escapes a quote. */
export const WITHIN_QUOTES = `(?:\\\\[${QUOTES}]|[^${QUOTES}])*`

const QUOTE = new RegExp(`[${QUOTES}]`, 'gu')
const WRITTEN_QUOTE = new RegExp(`(\\\\?)([${QUOTES}])`, 'gu')

/** The text without its quotes; escaped ones are kept. */
export function unquote(written: string): string {
  return written.replace(WRITTEN_QUOTE, (_, backslash: string, quote: string) => (backslash ? quote : ''))
}

/** Quoted, so that spaces, commas, parentheses and quotes are part of it. */
export function inQuotes(value: string): string {
  return `"${value.replace(QUOTE, '\\$&')}"`
}

/** Whether it must be quoted to be one value. */
export function needsQuotes(value: string): boolean {
  return /[\s,()]/.test(value) || value.search(QUOTE) !== -1
}

interface FieldValue {
  isNegated: boolean
  /** In lower case; not yet known to be a filter. */
  field: string
  /** Split at commas, without quotes. */
  values: string[]
  valueStart: number
  end: number
}

const NAME = /(-?)([A-Za-z][A-Za-z-]*):/y
const VALUE = new RegExp(`(?:[${QUOTES}]${WITHIN_QUOTES}[${QUOTES}]|[^\\s${QUOTES}])*`, 'uy')
const VALUE_PART = new RegExp(`[${QUOTES}](${WITHIN_QUOTES})[${QUOTES}]|(,)|([^,${QUOTES}]+)`, 'gu')

/** `name:value` at this position of a query; null if there is none. */
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

/** Commas separate values, but not within quotes. */
function splitValues(written: string): string[] {
  const values = ['']
  for (const [, quoted, comma, plain] of written.matchAll(VALUE_PART)) {
    if (comma !== undefined) values.push('')
    else values.push((values.pop() ?? '') + (unquote(quoted ?? '') || (plain ?? '')))
  }
  return values.map((value) => value.trim()).filter((value) => value !== '')
}

const FACTORS: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }
const AMOUNT = /^(<=|>=|<|>|=)?(\$?)(\d{1,15}(?:\.\d{1,9})?|\.\d{1,9})([kmb]?)$/i

type ReadFilter = { tree: QueryTree } | { problem: string }

/** The filter of `field:value,value`; undefined: unknown field. Several values are alternatives. */
export function readFilter(field: string, values: string[], context: DateContext): ReadFilter | undefined {
  const read = Object.hasOwn(READERS, field) ? READERS[field] : undefined
  if (read === undefined) return undefined
  if (values.length === 0) return { problem: 'a value is missing behind the colon' }
  const filters: QueryFilter[] = []
  for (const value of values) {
    const filter = read(value, context)
    if (typeof filter === 'string') return { problem: filter }
    filters.push(filter)
  }
  return { tree: oneOf(filters) }
}

export function isQueryField(name: string): boolean {
  return Object.hasOwn(READERS, name)
}

/** Returns a filter, or why the value is invalid. */
type Reader = (value: string, context: DateContext) => QueryFilter | string

const READERS: Record<string, Reader> = {
  project: (name) => ({ kind: 'project', name }),
  model: (pattern) => ({ kind: 'model', pattern }),
  session: (idPrefix) => ({ kind: 'session', idPrefix }),
  tag: (name) => ({ kind: 'tag', name }),
  source: readSource,
  note: (text) => ({ kind: 'note', text }),
  tool: (pattern) => ({ kind: 'tool', pattern }),
  status: (status) => ({ kind: 'status', status: status.toLowerCase() }),
  file: (pattern) => ({ kind: 'file', pattern }),
  in: readPlace,
  type: readPlace,
  is: readState,
  has: readContent,
  tokens: (value) => amountFilter('tokens', value, 'a number such as >50k'),
  cost: (value) => amountFilter('cost', value, 'a sum in dollars such as >0.10'),
  before: (value, context) => dateFilter('before', value, context),
  after: (value, context) => dateFilter('after', value, context),
}

/** Labels on the page for the same. */
const PLACES: Record<string, SearchField[]> = {
  you: ['prompt'],
  user: ['prompt'],
  gemini: ['answer'],
  thoughts: ['thought'],
  tool: ['tool-args', 'tool-output'],
}

function readPlace(value: string): QueryFilter | string {
  const name = value.toLowerCase()
  if (name === 'error') return { kind: 'is', what: 'error' }
  const field = searchFieldSchema.safeParse(name)
  if (field.success) return { kind: 'in', fields: [field.data] }
  const fields = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined
  return fields === undefined ? known(searchFieldSchema.options) : { kind: 'in', fields: [...fields] }
}

const STATES = ['error', 'live', 'starred', 'subagent', 'superseded'] as const

function readState(value: string): QueryFilter | string {
  const what = STATES.find((state) => state === value.toLowerCase())
  return what === undefined ? known(STATES) : { kind: 'is', what }
}

function readSource(value: string): QueryFilter | string {
  const program = sessionProgramSchema.safeParse(value.toLowerCase())
  return program.success ? { kind: 'source', program: program.data } : known(sessionProgramSchema.options)
}

const CONTENTS = ['diff', 'image', 'thoughts', 'data', 'saved'] as const

function readContent(value: string): QueryFilter | string {
  const name = value.toLowerCase()
  const what = CONTENTS.find(
    (content) => content === name || `${content}s` === name || content === `${name}s`,
  )
  return what === undefined ? known(CONTENTS) : { kind: 'has', what }
}

function amountFilter(kind: 'tokens' | 'cost', value: string, form: string): QueryFilter | string {
  const amount = readAmount(kind, value)
  return amount === null ? `it takes ${form}` : { kind, ...amount }
}

function dateFilter(kind: 'before' | 'after', value: string, context: DateContext): QueryFilter | string {
  const timeMs = readDate(value, context)
  return timeMs === null ? 'it takes a date such as 2026-01-31, -7d or yesterday' : { kind, timeMs }
}

function known(values: readonly string[]): string {
  return `it takes ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

function oneOf(filters: QueryFilter[]): QueryTree {
  const fields = filters.flatMap((filter) => (filter.kind === 'in' ? filter.fields : []))
  const others = filters.filter((filter) => filter.kind !== 'in')
  const places: QueryFilter[] = fields.length === 0 ? [] : [{ kind: 'in', fields: [...new Set(fields)] }]
  const all = [...places, ...others]
  return all.length === 1 && all[0] !== undefined ? all[0] : { kind: 'or', of: all }
}

type Amount = Pick<Extract<QueryFilter, { compare: unknown }>, 'compare' | 'value'>

/** `>50k`, `<=1.5m`, `12`, and `$0.10` for money; null: not such a number. */
function readAmount(kind: 'tokens' | 'cost', text: string): Amount | null {
  const match = AMOUNT.exec(text)
  if (match === null) return null
  const [, compare = '=', dollar, digits, suffix = ''] = match
  if (dollar !== '' && kind === 'tokens') return null
  const value = Number(digits) * (FACTORS[suffix.toLowerCase()] ?? 1)
  return { compare: compare as Amount['compare'], value }
}
