import { searchFieldSchema } from '@gemini-dash/api'
import type { Database } from '../driver/database.ts'

/** Raised whenever an index written before would answer differently: it is then built anew. */
export const INDEX_VERSION = 2

export const SEARCH_FIELDS = searchFieldSchema.options

/** A row of the full-text table is `session number * 2^20 + slot`; slot 0 is the title. */
export const SLOTS_PER_SESSION = 2 ** 20

/**
 * Conversation text is in the contentless full-text table only, as terms; snippets come from the source.
 * `session.slots` names the message in each slot, `session.times` holds when it was said and its place.
 */
export function createSchema(database: Database): void {
  const columns = SEARCH_FIELDS.map((field) => `"${field}"`).join(', ')
  database.exec(`
    CREATE TABLE file_group (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, files TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE session (
      number INTEGER PRIMARY KEY,
      group_id TEXT NOT NULL,
      key TEXT NOT NULL,
      record TEXT NOT NULL,
      slots TEXT NOT NULL,
      times BLOB NOT NULL
    );
    CREATE VIRTUAL TABLE text USING fts5(${columns}, content='', contentless_delete=1, tokenize='ascii');
    INSERT INTO text(text, rank) VALUES ('hashsize', ${FTS_MEMORY_BYTES});
    PRAGMA user_version = ${INDEX_VERSION};
  `)
}

/** What FTS5 collects in memory before it writes a segment: fewer, larger segments build faster. */
const FTS_MEMORY_BYTES = 8 * 1024 * 1024
