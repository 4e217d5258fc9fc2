import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readFirstTimes, readLastTimes } from './list-sessions.ts'
import type { DiscoveredFile } from './scan/scan.ts'

const folder = mkdtempSync(join(tmpdir(), 'last-times-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function lastTime(text: string): Promise<string | undefined> {
  const absolutePath = join(folder, 'session.jsonl')
  writeFileSync(absolutePath, text)
  const file = { absolutePath, sizeBytes: Buffer.byteLength(text) } as DiscoveredFile
  return (await readLastTimes([file])).get(file)
}

const FIRST = '{"id":"a","timestamp":"2026-01-01T00:00:00.000Z"}\n'

test('the latest time near the end counts, in whatever order times stand there', async () => {
  const text = `${FIRST}{"id":"c","timestamp": "2026-03-01T00:00:00.000Z"}\n{"id":"b","timestamp":"2026-02-01T00:00:00.000Z"}\n`
  expect(await lastTime(text)).toBe('2026-03-01T00:00:00.000Z')
})

test('a file that ends in one long record is looked at further back', async () => {
  const text = `${FIRST}{"id":"b","timestamp":"2026-02-01T00:00:00.000Z","content":"${'x'.repeat(100_000)}"}\n`
  expect(await lastTime(text)).toBe('2026-02-01T00:00:00.000Z')
})

test('an import begins with its first message, not with the later start that its metadata name', async () => {
  const absolutePath = join(folder, 'import.jsonl')
  writeFileSync(absolutePath, `{"startTime":"2026-05-01T00:00:00.000Z"}\n${FIRST}`)
  const file = { absolutePath, sizeBytes: 1 } as DiscoveredFile
  expect([...(await readFirstTimes([file])).values()]).toEqual(['2026-01-01T00:00:00.000Z'])
})

test('times that a text only cites do not count', async () => {
  const cited = JSON.stringify({ content: '{"timestamp":"2030-01-01T00:00:00.000Z"}' })
  expect(await lastTime(`${FIRST}${cited}\n`)).toBe('2026-01-01T00:00:00.000Z')
})

test('a file without any time, and one that is gone, have no entry', async () => {
  expect(await lastTime('nothing\n')).toBeUndefined()
  const gone = { absolutePath: join(folder, 'gone.jsonl'), sizeBytes: 10 } as DiscoveredFile
  expect((await readLastTimes([gone])).size).toBe(0)
})
