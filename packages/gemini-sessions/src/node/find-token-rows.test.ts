import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findTokenRows } from './session-file.ts'

const TOKENS = fileURLToPath(new URL('../../../../fixtures/tokens', import.meta.url))

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

  it('T10: are found where another program wrote the file again', async () => {
    const name = 'session-2026-11-20T10-00-2baf2479.jsonl'
    const text = readFileSync(`${TOKENS}/revisions/home/tmp/webshop/chats/${name}`, 'utf8')
    const rows = text.trim().split('\n')
    const formatted = rows.map((row) => JSON.stringify(JSON.parse(row), null, 2))
    const starts = formatted.map(
      (_, index) => formatted.slice(0, index).join('\n').split('\n').length + (index === 0 ? 0 : 1),
    )
    const home = mkdtempSync(join(tmpdir(), 'token-rows-'))
    const totals = [101, 110, 115]
    try {
      for (const [bytes, lines] of [
        [Buffer.from(text, 'utf16le'), [3, 4, 5]],
        [formatted.join('\n'), starts.slice(2, 5)],
        [Buffer.from(`\uFEFF${formatted.join('\n')}`, 'utf16le').swap16(), starts.slice(2, 5)],
      ] as const) {
        writeFileSync(join(home, name), bytes)
        const found = await findTokenRows({ home, path: name, format: 'jsonl' }, 'g1')
        expect(found.map(({ line, usage }) => [line, usage.total])).toEqual(
          totals.map((total, index) => [lines[index], total]),
        )
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })

  it('are none of an id that only stands in a text', async () => {
    expect(await rowsOf('revisions', 'session-2026-11-20T10-00-2baf2479.jsonl', 'u1')).toEqual([])
  })
})
