import { searchFieldSchema } from '@gemini-dash/api'
import type { Database } from '../driver/database.ts'
import { DATABASE_FORMAT } from '../validity/cache-format.ts'

export const SEARCH_FIELDS = searchFieldSchema.options

/**
 * Conversation text is in the contentless full-text table only, as terms; snippets come from the source. Each of its
 * documents is one field of one row: `row * 8 + field`. `session.slots` names the message in each slot. What every
 * search needs lies by itself, so that it is read at once: `session_rows` (`SessionRows`) is the row of each slot and
 * what filters ask of it, `call` (`NamedRows`) what tools did.
 */
export function createSchema(database: Database): void {
  // In one transaction, as each table would otherwise wait for the disk by itself.
  database.exec(`
    BEGIN;
    CREATE TABLE file_group (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, files TEXT NOT NULL, claims TEXT, loose TEXT) WITHOUT ROWID;
    CREATE TABLE session (
      number INTEGER PRIMARY KEY,
      group_id TEXT NOT NULL,
      key TEXT NOT NULL,
      record TEXT NOT NULL,
      slots TEXT NOT NULL
    );
    CREATE TABLE session_rows (number INTEGER PRIMARY KEY, rows BLOB NOT NULL);
    CREATE TABLE call (
      kind TEXT NOT NULL,
      number INTEGER NOT NULL,
      names TEXT NOT NULL,
      pairs BLOB NOT NULL,
      PRIMARY KEY (kind, number)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE text USING fts5(words, content='', contentless_delete=1, tokenize='ascii');
    CREATE VIRTUAL TABLE word USING fts5vocab(text, row);
    INSERT INTO text(text, rank) VALUES ('hashsize', ${FTS_MEMORY_BYTES}), ('automerge', ${SEGMENTS_TO_MERGE});
    PRAGMA user_version = ${DATABASE_FORMAT};
    COMMIT;
  `)
}

/**
 * What FTS5 collects in memory before it writes a segment, and how many segments make it merge them. Measured: fewer,
 * larger segments cost less merging, but collecting more than the processor's caches hold costs more than that saves.
 */
const FTS_MEMORY_BYTES = 4 * 1024 * 1024
const SEGMENTS_TO_MERGE = 16
