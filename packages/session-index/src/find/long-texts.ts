import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type { StoredMessage } from '../contract.ts'
import type { Database } from '../driver.ts'
import { wordsMatcher } from '../match/query-matcher.ts'
import { SearchClock } from '../match/search-clock.ts'
import { type IndexTree, type QueryText, textsIn } from '../query/tree.ts'
import { type MessageReader, readUnchanged, type SessionReader } from '../source/message-reader.ts'
import { messagesOf } from '../store/message-table.ts'
import { searchColumns } from '../store/search-rows.ts'
import { storedTitlePieces } from '../store/session-texts.ts'
import type { ShardStore } from '../store/shard-store.ts'
import { type FieldPiece, fieldPieces } from '../text.ts'
import { documentsWith, ftsExpression } from './find-rows.ts'

/** Of work, for all phrases of a search. */
const LOOKING_MS = 250

/** Reads texts again from their files. */
export interface TextSources {
  store: ShardStore
  /** Reads whole groups. */
  sessions: SessionReader
  /** Reads single messages. */
  messages: MessageReader
}

/** Which long outputs hold the phrases of a search in their middle. */
export interface LongPhrases {
  /** Documents by the expression of the phrase. */
  documents: ReadonlyMap<string, readonly number[]>
  /** Messages with all words of a phrase that were not looked at: the time was over, or they cannot be read now. */
  leftOut: number
}

/**
 * Looks for phrases in the outputs whose middle holds all of their words, newest first: the index knows no places there. What
 * was looked through once is known until something is written.
 */
export async function findLongPhrases(
  sources: TextSources,
  trees: readonly (IndexTree | null)[],
  pauserOf: (clock: SearchClock) => () => Promise<void>,
): Promise<LongPhrases> {
  const { database } = sources.store
  const { phrases: known } = searchColumns(sources.store)
  const clock = new SearchClock(LOOKING_MS)
  const pause = pauserOf(clock)
  const documents = new Map<string, readonly number[]>()
  const leftOut = new Set<number>()
  for (const text of trees.flatMap((tree) => (tree === null ? [] : textsIn(tree)))) {
    const expression = ftsExpression(text)
    if (text.words.length === 1 || documents.has(expression)) continue
    const before = leftOut.size
    const found = known.get(expression) ?? []
    documents.set(expression, found)
    if (known.has(expression)) continue
    const matcher = wordsMatcher([text])
    const placed = new Set(documentsWith(database, 'text', expression))
    for (const document of withAllWords(database, text).reverse()) {
      if (placed.has(document)) continue
      const pieces = clock.isOver ? null : await readPieces(sources, document >> 3, text, clock.leftMs)
      const field = SEARCH_FIELDS[document & 7]
      if (pieces === null) leftOut.add(document >> 3)
      else if (pieces.some((piece) => piece.field === field && matcher.isIn(piece.text))) found.push(document)
      await pause()
    }
    if (leftOut.size === before) known.set(expression, found)
  }
  return { documents, leftOut: leftOut.size }
}

function withAllWords(database: Database, { words, isPrefix }: QueryText): number[] {
  const each = words.map((word, place) =>
    ftsExpression({ words: [word], isPrefix: isPrefix && place === words.length - 1 }),
  )
  return documentsWith(database, 'long_text', each.join(' AND '))
}

/** The texts of a message or title that may hold the phrase. null: they are not where they were when they were indexed, or reading them takes too long. */
async function readPieces(
  { store, sessions, messages }: TextSources,
  id: number,
  phrase: QueryText,
  waitMs: number,
): Promise<FieldPiece[] | null> {
  if (id < 0) return storedTitlePieces(store, -id)
  const row = store.database.get('SELECT session, ordinal FROM message WHERE id = ?', id)
  const session = store.session(Number(row?.session))
  const table = session === undefined ? null : messagesOf(store, session, messages)
  const stored = table?.at([Number(row?.ordinal)]) ?? []
  if (stored[0] !== undefined && !mayHold(stored[0], phrase)) return []
  const [message] = table?.whole(stored) ?? []
  if (message !== undefined) return fieldPieces(message)
  // What only all files of a session say of a message.
  const group = session && store.groups.get(session.groupId)
  const read = (group && (await sessions.read(group, waitMs))) ?? []
  const ofSession = read.find(({ key }) => key === session?.key)?.messages
  const whole = ofSession?.find(({ key }) => key === stored[0]?.message.key)
  return whole === undefined ? null : fieldPieces(whole)
}

/** As its record has it, which takes a tenth of the time of parsing it: what is plain ASCII, and has all that was cut out of the message. */
function mayHold({ record, cuts }: StoredMessage, { words }: QueryText): boolean {
  const bytes = record && readUnchanged(record.file, record)
  if (bytes === null || cuts.reduce((sum, [, length]) => sum + length, 0) > bytes.length) return true
  const raw = bytes.toString('latin1')
  if (!words.every((word) => ASCII_WORD.test(word)) || SPELT_OTHERWISE.test(raw)) return true
  return new RegExp(words.join('(?:\\\\[bfnrt]|[^a-z0-9])+'), 'i').test(raw)
}

const ASCII_WORD = /^[a-z0-9]+$/
/** Other letters, escapes of them, and the tokens of a terminal's line. */
const SPELT_OTHERWISE = /[^\0-\x7f]|\\u|"inverse":/
