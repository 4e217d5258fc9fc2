import { openDatabase } from '../src/driver.ts'

/** Everything stored of messages, calls and usage, in an order independent of how it was written. */
export function storedRows(path: string) {
  const database = openDatabase(path, 'node-sqlite3-wasm')
  try {
    const of = (table: string, order: string, messages = '') =>
      database
        .all(
          `SELECT session.key AS session_key, row.* ${messages && ', message.ordinal'} FROM ${table} AS row ${messages}
           JOIN session ON session.number = ${messages ? 'message' : 'row'}.session
           ORDER BY session.key, ${order}`,
        )
        .map(({ session: _, id: __, message: ___, ...row }) => row)
    const orphans = [
      ...['message', 'spend', 'search_row'].flatMap((table) =>
        database.all(`SELECT * FROM ${table} WHERE session NOT IN (SELECT number FROM session)`),
      ),
      ...database.all('SELECT * FROM call WHERE message NOT IN (SELECT id FROM message)'),
      ...database.all('SELECT * FROM search_row WHERE id > 0 AND id NOT IN (SELECT id FROM message)'),
      ...database.all('SELECT rowid FROM text WHERE rowid >> 3 NOT IN (SELECT id FROM search_row)'),
    ]
    return {
      messages: of('message', 'ordinal'),
      calls: of('call', 'ordinal, place', 'JOIN message ON message.id = row.message'),
      found: of('search_row', 'row.ordinal'),
      spend: of('spend', 'quarter_hour, model'),
      orphans,
    }
  } finally {
    database.close()
  }
}
