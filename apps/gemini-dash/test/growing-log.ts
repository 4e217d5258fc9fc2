import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { machineTime } from '../../../fixtures/machine-time.ts'

export interface GrowingLog {
  /** Number of messages in the file so far. */
  messages: () => number
  stop: () => void
}

interface GrowingLogOptions {
  id: string
  sizeBytes: number
  everyMs: number
  /** Called after each added line. */
  onLine?: () => void
}

/** Writes a log of about this size, and keeps adding lines until it is stopped. */
export function startGrowingLog(
  path: string,
  { id, sizeBytes, everyMs, onLine }: GrowingLogOptions,
): GrowingLog {
  let messages = 0
  const startMs = machineTime().getTime() - 3_600_000
  const line = (text: string) => {
    const timestamp = new Date(startMs + messages * 10).toISOString()
    messages += 1
    return `${JSON.stringify({ id: `m${messages}`, timestamp, type: 'user', content: [{ text }] })}\n`
  }
  const time = new Date(startMs).toISOString()
  const head = { sessionId: id, projectHash: 'f'.repeat(64), startTime: time, lastUpdated: time }
  const lines = [`${JSON.stringify(head)}\n`]
  const filler = 'words that fill a log '.repeat(400)
  for (let written = 0; written < sizeBytes; written += filler.length) lines.push(line(filler))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.join(''))
  const timer = setInterval(() => {
    appendFileSync(path, line(`zyzzyva number ${messages}`))
    onLine?.()
  }, everyMs)
  return { messages: () => messages, stop: () => clearInterval(timer) }
}
