import { expect } from 'vitest'
import { commands } from 'vitest/browser'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { askDetail } from './ask-server.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Creates a log with these JSON records. */
    startLog: (id: string, records: string[]) => Promise<void>
    appendToLog: (id: string, records: string[]) => Promise<void>
  }
}

/** A session that is written while it is read. */
export interface LiveLog {
  id: string
  /** Appends this many answers, as the CLI does, and waits until the program has read them. */
  answer: (count: number, lines?: number) => Promise<void>
  /** Appends a prompt without an answer. */
  ask: (text: string) => Promise<void>
}

/** Starts a log with this many prompts and answers. */
export async function startLiveLog(turns: number): Promise<LiveLog> {
  const id = crypto.randomUUID()
  const records = Array.from({ length: turns }, (_, turn) => [
    prompt(`Prompt ${turn + 1}`),
    answer(`Answer ${turn + 1}`, 4),
  ])
  await commands.startLog(id, records.flat())
  let total = 2 * turns
  const isRead = () => askDetail(id).then(({ messageTotal }) => messageTotal === total)
  const whenRead = () => expect.poll(isRead).toBe(true)
  await whenRead()
  return {
    id,
    answer: async (count, lines = 1) => {
      total += count
      await commands.appendToLog(
        id,
        Array.from({ length: count }, (_, index) => answer(`Later answer ${total - count + index}`, lines)),
      )
      await whenRead()
    },
    ask: async (text) => {
      total += 1
      await commands.appendToLog(id, [prompt(text)])
      await whenRead()
    },
  }
}

function prompt(text: string): string {
  return JSON.stringify({
    id: crypto.randomUUID(),
    timestamp: machineTime().toISOString(),
    type: 'user',
    content: [{ text }],
  })
}

function answer(text: string, lines: number): string {
  return JSON.stringify({
    id: crypto.randomUUID(),
    timestamp: machineTime().toISOString(),
    type: 'gemini',
    content: Array.from({ length: lines }, (_, line) => `${text}, line ${line + 1}.`).join('\n\n'),
    thoughts: [],
    tokens: { input: 26_000, output: 12, cached: 24_000, thoughts: 0, tool: 0, total: 26_012 },
    model: 'gemini-2.5-pro',
  })
}
