import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import { sha256, useMovedProject } from './quiet-home.ts'

const place = useMovedProject()
const { write } = place

const TIME = '2026-11-20T10:00:00.000Z'
const ID = 'aaaaaaaa-0000-4000-8000-000000000001'
const chat = (name: string) => `tmp/shop/chats/session-2026-11-20T10-00-${name}.json`

/** Damaged in the middle: neither its beginning nor its end reveals its id, which becomes known only when it is completely read. */
function brokenDocument(): string {
  const ids = { sessionId: ID, projectHash: sha256(place.before), startTime: TIME, lastUpdated: TIME }
  const prompt = { id: 'p1', timestamp: TIME, type: 'user', content: 'Which sea is the saltiest?' }
  const answer = { id: 'g1', timestamp: TIME, type: 'gemini', content: 'The Dead Sea.' }
  return JSON.stringify({ ...ids, messages: [prompt, answer] }, null, 2).replace('"g1"', '"g1" x')
}

test('a first list is not complete before its sessions have the keys that every later one gives them', async () => {
  for (const name of ['aaaaaaaa', 'bbbbbbbb']) write(chat(name), brokenDocument())
  // scanning all of them takes longer than reading those two
  for (let n = 0; n < 1_500; n++)
    mkdirSync(join(place.home, 'tmp', `empty-${n}`, 'chats'), { recursive: true })
  for (let round = 0; round < 3; round++) {
    const server = await openTestServer({ home: place.home })
    await server.store.whenReady()
    const { sessions, coverage } = await server.store.sessions({ kind: 'all', sort: 'recent', limit: 100 })
    await server.close()
    expect(coverage.filesDone).toBe(2)
    expect(sessions.flatMap(({ key }) => (key.includes('~') ? [key] : []))).toEqual([])
  }
})
