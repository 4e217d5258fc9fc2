import type { Database } from '../driver/database.ts'
import type { QueryText } from '../query/tree/query-tree.ts'
import { HOLDS, type RowMasks } from './row-masks.ts'

/** A document of the full-text table is one field of one row: `row * 8 + field`. */
const DOCUMENT_BITS = 3
const FIELD_MASK = (1 << DOCUMENT_BITS) - 1

const MAX_KEPT_DOCUMENTS = 2_000_000

/** Looks words up in the full-text table. Remembers the last answers: pages, facets and refined queries ask the same again. */
export class TextRows {
  readonly #kept = new Map<string, Int32Array>()
  #keptDocuments = 0

  find(database: Database, rows: number, text: QueryText, fields: number): RowMasks {
    const masks = new Uint32Array(rows)
    for (const document of this.#documents(database, ftsExpression(text))) {
      const row = document >> DOCUMENT_BITS
      const bit = 1 << (document & FIELD_MASK)
      if ((bit & fields) !== 0 && row < rows) masks[row] = (masks[row] ?? 0) | HOLDS | bit
    }
    return masks
  }

  /** To be called when the table has changed. */
  forget(): void {
    this.#kept.clear()
    this.#keptDocuments = 0
  }

  #documents(database: Database, expression: string): Int32Array {
    const known = this.#kept.get(expression)
    if (known !== undefined) {
      this.#kept.delete(expression)
      this.#kept.set(expression, known)
      return known
    }
    const documents = Int32Array.from(readDocuments(database, expression))
    this.#kept.set(expression, documents)
    this.#keptDocuments += documents.length
    for (const [oldest, its] of this.#kept) {
      if (this.#keptDocuments <= MAX_KEPT_DOCUMENTS) break
      this.#kept.delete(oldest)
      this.#keptDocuments -= its.length
    }
    return documents
  }
}

/** As one JSON text: a single crossing from wasm instead of one for each document. */
function readDocuments(database: Database, expression: string): number[] {
  const row = database.get('SELECT json_group_array(rowid) AS ids FROM text WHERE text MATCH ?', expression)
  return JSON.parse(String(row?.ids ?? '[]'))
}

/** A quoted string, so that nothing in it is read as an operator. */
function ftsExpression({ words, isPrefix }: QueryText): string {
  return `"${words.map((word) => word.replaceAll('"', '""')).join(' ')}"${isPrefix ? ' *' : ''}`
}
