import { hash } from 'node:crypto'
import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import { isDamagedSession, projectOfGroup } from 'gemini-sessions'
import type { SessionRecord } from '../contract.ts'
import type { Database, SqlValue } from '../driver.ts'
import { type FieldPiece, indexText, PIECE_BREAK } from '../text.ts'
import type { StoredSession } from './shard-store.ts'

/** Writes the row of a session: columns for what lists sort and filter by, and all of it as JSON. */
export function writeSession(
  database: Database,
  { number, groupId, key }: StoredSession,
  record: SessionRecord,
): void {
  const columns = columnsOf(record)
  const values = [number, groupId, key, projectOfGroup(groupId), ...Object.values(columns)]
  database.run(insertOf(Object.keys(columns)), ...values, JSON.stringify(record))
}

function columnsOf({ summary, parentSessionId, agentIds }: SessionRecord): Record<string, SqlValue> {
  const { counts, recorded, failures, usage, cost, models } = summary
  return {
    session_id: summary.sessionId,
    kind: summary.kind,
    run_id: parentSessionId,
    agents: agentIds.length === 0 ? null : JSON.stringify(agentIds),
    title: summary.title,
    start_time: summary.startTime,
    end_time: summary.endTime,
    empty: summary.empty ? 1 : 0,
    damaged: isDamagedSession(summary) ? 1 : 0,
    messages: counts?.messages ?? null,
    prompts: counts?.prompts ?? null,
    tool_calls: recorded?.toolCalls ?? null,
    failed_calls: failures?.tools ?? null,
    refused: failures?.refused ?? null,
    unanswered: failures?.unanswered ?? null,
    requests: usage?.calls ?? null,
    without_tokens: usage?.callsWithoutTokens ?? null,
    tokens: usage?.total ?? null,
    input: usage?.input ?? null,
    cached: usage?.cached ?? null,
    output: usage?.output ?? null,
    thoughts: usage?.thoughts ?? null,
    tool: usage?.tool ?? null,
    cost: cost?.usd ?? null,
    unpriced: cost?.unpricedCalls ?? null,
    models: models === null ? null : JSON.stringify(models),
  }
}

let insert: string | null = null

/** The names never change. */
function insertOf(names: readonly string[]): string {
  const all = ['number', 'group_id', 'key', 'project', ...names, 'record']
  insert ??= `INSERT OR REPLACE INTO session (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`
  return insert
}

/** A piece with its text as UTF-8, from which its hash and usually its words are made. */
interface EncodedPiece extends FieldPiece {
  bytes: Buffer
}

interface EncodedPieces {
  pieces: EncodedPiece[]
  /** An outline of the pieces, followed by their bytes. */
  whole: Buffer
}

/** The pieces of one message share a buffer. */
export function encodePieces(pieces: FieldPiece[]): EncodedPieces {
  const lengths = pieces.map(({ text }) => Buffer.byteLength(text))
  const outline = pieces.map(({ field }, index) => `${field} ${lengths[index]}`).join(' ')
  const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, outline.length))
  let end = whole.write(outline)
  const encoded = pieces.map(({ field, text, toolName }): EncodedPiece => {
    const start = end
    end += whole.write(text, start)
    return { field, text, toolName, bytes: whole.subarray(start, end) }
  })
  return { pieces: encoded, whole }
}

/**
 * The full-text row of the pieces: one text per field, null if empty. As bytes, which the wasm build copies several times faster than a
 * string.
 */
export function textColumns(pieces: readonly EncodedPiece[]): (Uint8Array | null)[] {
  const words = SEARCH_FIELDS.map((): Buffer[] => [])
  for (const piece of pieces) {
    const ofField = words[SEARCH_FIELDS.indexOf(piece.field)]
    if (ofField === undefined) continue
    if (ofField.length > 0) ofField.push(BREAK)
    ofField.push(wordsOf(piece))
  }
  return words.map((ofField) => (ofField.length > 1 ? Buffer.concat(ofField) : (ofField[0] ?? null)))
}

/** Equal for equal text in equal fields, so that unchanged messages are not rewritten. A 48-bit integer. */
export function hashPieces({ whole }: EncodedPieces): number {
  return hash('sha1', whole, 'buffer').readUIntBE(0, 6)
}

const BREAK = Buffer.from(PIECE_BREAK)

/** ASCII is indexed unchanged: only there each UTF-16 unit is one byte. */
function wordsOf({ text, bytes }: EncodedPiece): Buffer {
  const isIndexedAsItIs = bytes.length === text.length && !bytes.includes(0)
  return isIndexedAsItIs ? bytes : Buffer.from(indexText(text))
}
