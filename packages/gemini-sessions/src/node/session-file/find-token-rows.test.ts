import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findTokenRows } from './find-token-rows.ts'

const TOKENS = fileURLToPath(new URL('../../../../../fixtures/tokens', import.meta.url))

async function rowsOf(fixture: string, name: string, id: string) {
  const path = `tmp/webshop/chats/${name}`
  const format = name.endsWith('.json') ? 'json' : 'jsonl'
  const rows = await findTokenRows({ home: `${TOKENS}/${fixture}/home`, path, format }, id)
  return rows.map(({ line, index, usage }) => ({ line, index, total: usage.total }))
}

describe('the rows that record tokens of a message', () => {
  it('are one for each time that the log says them; rows without tokens are none', async () => {
    expect(await rowsOf('revisions', 'session-2026-11-20T10-00-2baf2479.jsonl', 'g1')).toEqual([
      { line: 3, index: null, total: 101 },
      { line: 4, index: null, total: 110 },
      { line: 5, index: null, total: 115 },
    ])
  })

  it('are found in a document, and in lists within a log', async () => {
    expect(await rowsOf('twins', 'session-2026-11-20T10-00-f459baaa.json', 'g1')).toEqual([
      { line: null, index: 1, total: 110 },
    ])
    expect(await rowsOf('twins', 'session-2026-11-20T10-00-f459baaa.jsonl', 'g1')).toEqual([
      { line: 1, index: 1, total: 110 },
    ])
  })

  it('are none of an id that only stands in a text', async () => {
    expect(await rowsOf('revisions', 'session-2026-11-20T10-00-2baf2479.jsonl', 'u1')).toEqual([])
  })
})
