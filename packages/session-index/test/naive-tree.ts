import { type SearchField, searchFieldSchema } from '@gemini-dash/api'
import { priceCall } from '@gemini-dash/pricing'
import { failedKeys, type Message, type Session } from 'gemini-sessions'
import type { IndexTree } from '../src/query/tree.ts'
import { titlePieces } from '../src/store/session-texts.ts'
import { contentField, type FieldPiece, fieldPieces } from '../src/text.ts'
import { toSessionRecord } from '../src/to-session-record.ts'
import { naiveWords } from './naive-search.ts'

/** A row as the user sees it: a title or a message, with everything that queries can ask for. */
export interface NaiveRow {
  session: Session
  message: Message | null
  pieces: FieldPiece[]
  timeMs: number
  tokens: number | null
  cost: number | null
}

const ALL_FIELDS = new Set<SearchField>(searchFieldSchema.options)

/** One line per hit, in alphabetical order. */
export function naiveTreeSearch(...asked: Parameters<typeof naiveTreeHits>): string[] {
  return naiveTreeHits(...asked)
    .map(({ row, field }) => `${row.session.key} ${row.message?.key ?? null} ${field}`)
    .sort()
}

/** The oracle: checks every row of every session, one after the other, without an index. */
export function naiveTreeHits(
  sessions: Session[],
  tree: IndexTree,
  pattern: ((text: string) => boolean) | null = null,
): { row: NaiveRow; field: SearchField }[] {
  const asked: IndexTree = pattern === null ? tree : { kind: 'and', of: withPattern(tree) }
  return sessions.flatMap(rowsOf).flatMap((row) => {
    const found = findIn(row, asked, ALL_FIELDS, pattern)
    return found === null ? [] : shownFields(row, found).map((field) => ({ row, field }))
  })
}

const PATTERN = '\ue123'

function withPattern(tree: IndexTree): IndexTree[] {
  return [...(tree.kind === 'and' ? tree.of : [tree]), { kind: 'text', words: [PATTERN], isPrefix: false }]
}

/** Fields with wanted words and, without any, those that `in:` names and those that filters are about. */
interface Found {
  words: Set<SearchField>
  places: Set<SearchField>
  telling: Set<SearchField>
}

const FILTERS_ONLY: Found = { words: new Set(), places: new Set(), telling: new Set() }

function shownFields(row: NaiveRow, { words, places, telling }: Found): SearchField[] {
  if (words.size > 0) return [...words]
  const isAllowed = (field: SearchField) => places.size === 0 || places.has(field)
  const told = searchFieldSchema.options.find((field) => telling.has(field) && isAllowed(field))
  if (told !== undefined) return [told]
  const main = mainField(row)
  const first = searchFieldSchema.options.find((field) => places.has(field))
  return [places.has(main) ? main : (first ?? main)]
}

function tellingOf(row: NaiveRow, filter: IndexTree): Set<SearchField> {
  const isOfCalls = ['tools', 'status', 'file'].includes(filter.kind)
  const wanted = new Set<SearchField>()
  if (isOfCalls) wanted.add('tool-args')
  if (filter.kind === 'has') wanted.add(filter.what === 'thoughts' ? 'thought' : 'tool-args')
  if (filter.kind === 'is' && filter.what === 'error') wanted.add('tool-output')
  return new Set(row.pieces.map(({ field }) => field).filter((field) => wanted.has(field)))
}

/** null if the tree does not match the row. */
function findIn(
  row: NaiveRow,
  tree: IndexTree,
  within: Set<SearchField>,
  pattern: ((text: string) => boolean) | null,
): Found | null {
  if (tree.kind === 'text') {
    const found = row.pieces.filter(
      ({ field, text }) =>
        within.has(field) && (tree.words[0] === PATTERN ? pattern?.(text) : isSaid(text, tree)),
    )
    return found.length === 0 ? null : { ...FILTERS_ONLY, words: new Set(found.map(({ field }) => field)) }
  }
  if (tree.kind === 'or') {
    const parts = tree.of.flatMap((part) => findIn(row, part, within, pattern) ?? [])
    return parts.length === 0 ? null : union(parts)
  }
  if (tree.kind === 'not' && tree.of.kind !== 'in') {
    return findIn(row, tree.of, within, pattern) === null ? FILTERS_ONLY : null
  }
  if (tree.kind === 'and' || tree.kind === 'in' || tree.kind === 'not') {
    return findAll(row, tree.kind === 'and' ? tree.of : [tree], within, pattern)
  }
  return isFulfilled(row, tree) ? { ...FILTERS_ONLY, telling: tellingOf(row, tree) } : null
}

function findAll(
  row: NaiveRow,
  parts: IndexTree[],
  within: Set<SearchField>,
  pattern: ((text: string) => boolean) | null,
): Found | null {
  const asked = parts.flatMap((part) => placeOf(part) ?? [])
  const inner = new Set([...within].filter((field) => asked.every((place) => place.has(field))))
  const found = parts
    .filter((part) => placeOf(part) === null)
    .map((part) => findIn(row, part, inner, pattern))
  if (found.includes(null)) return null
  const all = union(found.flatMap((part) => part ?? []))
  if (asked.length === 0) return all
  const places = new Set([...inner].filter((field) => row.pieces.some((piece) => piece.field === field)))
  if (places.size === 0) return null
  return all.words.size > 0 || all.places.size > 0 ? all : { ...all, places }
}

function union(parts: Found[]): Found {
  return {
    words: new Set(parts.flatMap(({ words }) => [...words])),
    places: new Set(parts.flatMap(({ places }) => [...places])),
    telling: new Set(parts.flatMap(({ telling }) => [...telling])),
  }
}

function placeOf(part: IndexTree): Set<SearchField> | null {
  if (part.kind === 'in') return new Set(part.fields)
  if (part.kind !== 'not' || part.of.kind !== 'in') return null
  const { fields } = part.of
  return new Set([...ALL_FIELDS].filter((field) => !fields.includes(field)))
}

function isSaid(text: string, { words, isPrefix }: { words: string[]; isPrefix: boolean }): boolean {
  const said = wordsOf(text)
  return said.some((_, start) =>
    words.every((word, index) => {
      const here = said[start + index] ?? ''
      return isPrefix && index === words.length - 1 ? here.startsWith(word) : here === word
    }),
  )
}

function isFulfilled({ session, message, timeMs, tokens, cost }: NaiveRow, filter: IndexTree): boolean {
  const calls = message?.toolCalls ?? []
  switch (filter.kind) {
    case 'is':
      if (filter.what === 'superseded') return message !== null && message.superseded !== null
      return message !== null && failedKeys(session, { isLive: true }).has(message.key)
    case 'unanswered':
      return (
        message !== null &&
        failuresOf(session).has(message.key) &&
        !failedKeys(session, { isLive: true }).has(message.key)
      )
    case 'has':
      if (filter.what === 'thoughts') return (message?.thoughts.length ?? 0) > 0
      if (filter.what === 'image') return message?.content.some(({ kind }) => kind === 'image') === true
      return calls.some(({ output, display }) => output.kind === 'diff' || display?.kind === 'diff')
    case 'tools':
      return calls.some(({ name, failed }) => filter.names.includes(name) && (failed || !filter.isFailed))
    case 'status':
      return calls.some(({ status }) => status === filter.status)
    case 'file':
      return calls.some(({ args }) => {
        const path = String(Object.values(args as object)[0]).replaceAll('\\', '/')
        const end = filter.pattern.replace('.', '\\.').replace('*', '[^/]*')
        return new RegExp(`(^|/)${end}$`, 'i').test(path)
      })
    case 'tokens':
      return isCompared(tokens, filter)
    case 'cost':
      return isCompared(cost, filter)
    case 'before':
      return timeMs < filter.timeMs
    case 'after':
      return timeMs >= filter.timeMs
    case 'sessions':
      return filter.keys.includes(session.key)
    default:
      throw new Error(`No filter: ${filter.kind}`)
  }
}

function isCompared(known: number | null, { compare, value }: { compare: string; value: number }): boolean {
  if (known === null) return false
  const holds = { '<': known < value, '<=': known <= value, '=': known === value }
  const moreHolds = { '>=': known >= value, '>': known > value }
  return { ...holds, ...moreHolds }[compare] === true
}

function mainField({ message, pieces }: NaiveRow): SearchField {
  if (message === null) return 'title'
  const own = contentField(message)
  return pieces.some(({ field }) => field === own) ? own : (pieces[0]?.field ?? own)
}

/** Once per value: sessions do not change between queries. */
function once<Value extends object | string, Result>(
  make: (value: Value) => Result,
): (value: Value) => Result {
  const made = new Map<Value, Result>()
  return (value) => {
    if (!made.has(value)) made.set(value, make(value))
    return made.get(value) as Result
  }
}

const wordsOf = once(naiveWords)
const rowsOf = once(naiveRows)
/** The keys of the messages in which something failed. */
export const failuresOf = once((session: Session) => failedKeys(session))

function naiveRows(session: Session): NaiveRow[] {
  const record = toSessionRecord(session)
  const { usage, cost, endTime, startTime } = record.summary
  let timeMs = Date.parse(session.startTime ?? '')
  const messages = session.messages.map((message): NaiveRow => {
    timeMs = Date.parse(message.timestamp ?? '') || timeMs
    const { model, timestamp } = message
    return {
      session,
      message,
      pieces: fieldPieces(message),
      timeMs,
      tokens: message.usage?.total ?? null,
      cost: message.usage === null ? null : priceCall({ model, usage: message.usage, timestamp }),
    }
  })
  const title: NaiveRow = {
    session,
    message: null,
    pieces: titlePieces(record),
    timeMs: Date.parse(endTime ?? startTime ?? ''),
    tokens: usage?.total ?? null,
    cost: cost?.usd ?? null,
  }
  return [title, ...messages].filter(
    ({ message, pieces }) =>
      message === null ||
      pieces.length > 0 ||
      message.usage !== null ||
      message.toolCalls.length > 0 ||
      message.content.some(({ kind }) => kind === 'image'),
  )
}
