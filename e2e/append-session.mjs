import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

// Simulates the CLI for a test: node append-session.mjs FILE start|prompt|answer TEXT, or FILE record JSON
// Each record is one appendFileSync, as in the CLI's own recorder.
const [, , file, kind, text] = process.argv
const timestamp = new Date().toISOString()
const append = (record) => appendFileSync(file, `${JSON.stringify(record)}\n`)

if (kind === 'start') {
  mkdirSync(dirname(file), { recursive: true })
  const projectHash = 'a'.repeat(64)
  append({ sessionId: randomUUID(), projectHash, startTime: timestamp, lastUpdated: timestamp, kind: 'main' })
}
if (kind === 'record') append(JSON.parse(text))
else append(kind === 'answer' ? answer() : { id: randomUUID(), timestamp, type: 'user', content: [{ text }] })
append({ $set: { lastUpdated: timestamp } })

function answer() {
  return {
    id: randomUUID(),
    timestamp,
    type: 'gemini',
    content: text,
    thoughts: [],
    tokens: { input: 26_000, output: 12, cached: 24_000, thoughts: 0, tool: 0, total: 26_012 },
    model: 'gemini-2.5-pro',
  }
}
