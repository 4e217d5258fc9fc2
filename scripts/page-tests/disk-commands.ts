import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BrowserCommand } from 'vitest/node'

type Command<Arguments extends unknown[]> = BrowserCommand<Arguments>
type Context = Parameters<Command<[]>>[0]

const startLog: Command<[id: string, records: string[]]> = (context, id, records) => {
  const time = new Date().toISOString()
  const head = {
    sessionId: id,
    projectHash: 'a'.repeat(64),
    startTime: time,
    lastUpdated: time,
    kind: 'main',
  }
  append(context, id, [JSON.stringify(head), ...records])
}
const appendToLog: Command<[id: string, records: string[]]> = (context, id, records) =>
  append(context, id, [...records, JSON.stringify({ $set: { lastUpdated: new Date().toISOString() } })])

/** Lets a browser test write to disk, like the CLI, where the program watches. */
export const diskCommands = { startLog, appendToLog }

function append(context: Context, id: string, records: readonly string[]): void {
  const log = logOf(context, id)
  mkdirSync(dirname(log), { recursive: true })
  appendFileSync(log, records.map((record) => `${record}\n`).join(''))
}

function logOf({ project }: Context, id: string): string {
  const { home } = project.getProvidedContext()
  return join(home, '.gemini/tmp/webshop/chats', `session-2026-11-21T23-00-${id.slice(0, 8)}.jsonl`)
}
