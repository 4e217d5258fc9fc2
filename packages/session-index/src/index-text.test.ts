import { foldTextOnly } from '@gemini-dash/api/fold-text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database } from './driver.ts'
import { MEMORY, openDatabase } from './driver.ts'
import { indexText, tokenize } from './text.ts'

/** SQLite's own tokens of a text, in order. */
function tokensInIndex(database: Database, text: string): unknown[] {
  database.run('DELETE FROM text WHERE rowid = 1')
  database.run('INSERT INTO text (rowid, body) VALUES (1, ?)', indexText(text))
  return database.all('SELECT term FROM words ORDER BY "offset"').map(({ term }) => term)
}

function openWords(): Database {
  const database = openDatabase(MEMORY, 'node-sqlite3-wasm')
  database.exec(`
    CREATE VIRTUAL TABLE text USING fts5(body, content='', contentless_delete=1, tokenize='ascii');
    CREATE VIRTUAL TABLE words USING fts5vocab(text, instance);
  `)
  return database
}

describe('indexText', () => {
  it('makes the index split a text exactly as the matcher does', () => {
    const database = openWords()
    const mixed = fc.string({
      unit: fc.oneof(
        fc.constantFrom(
          'a',
          'B',
          '7',
          '_',
          '.',
          ' ',
          '\n',
          '\0',
          'é',
          'ß',
          '中',
          'ア',
          '한',
          'ไ',
          '🚀',
          '…',
          '\ud800',
        ),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 40,
    })
    fc.assert(
      fc.property(mixed, (text) => {
        const expected = tokenize(foldTextOnly(text)).map((token) => token.text)
        expect(tokensInIndex(database, text)).toEqual(expected)
      }),
      { numRuns: 150 },
    )
    database.close()
  })

  it('makes a word of every CJK character and parts of identifiers', () => {
    const database = openWords()
    expect(tokensInIndex(database, 'get_coffset() 東京タワーx')).toEqual([
      'get',
      'coffset',
      '東',
      '京',
      'タ',
      'ワ',
      'ー',
      'x',
    ])
    database.close()
  })
})
