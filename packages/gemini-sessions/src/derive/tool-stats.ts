import type { Message, Session, ToolOutput } from '../model/message.ts'
import { RecordedCalls, spentMessages } from './messages.ts'

/** One tool in one session. */
export interface ToolStats {
  name: string
  calls: number
  errors: number
  /** A quarter of the characters returned to the model. */
  outputTokensEstimate: number
  /**
   * Time from the answers to the results of its calls, an upper bound: starts are not recorded, and waiting for the user is included.
   * Parallel calls of one answer count once.
   */
  maxTimeMs: number
  /** Calls whose times are recorded. */
  timedCalls: number
}

/** The tools used in a session, by number of calls; includes superseded calls, but not copies. */
export function toolStats(session: Session): ToolStats[] {
  const builder = new ToolStatsBuilder()
  builder.add(spentMessages(session))
  return builder.finish()
}

/** The same for messages that count as spent, passed in order, batch by batch, with all their texts. */
export class ToolStatsBuilder {
  readonly #stats = new Map<string, ToolStats>()
  readonly #calls = new RecordedCalls()

  add(messages: readonly Message[]): void {
    for (const message of messages) if (message.billedIn === undefined) this.#addMessage(message)
  }

  finish(): ToolStats[] {
    return [...this.#stats.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
  }

  #addMessage(message: Message): void {
    const { timestamp } = message
    const longestMs = new Map<string, number>()
    for (const { name, failed, output, timestamp: recorded } of this.#calls.newIn(message)) {
      const known = this.#stats.get(name) ?? noCalls(name)
      this.#stats.set(name, known)
      known.calls += 1
      known.errors += failed ? 1 : 0
      known.outputTokensEstimate += Math.ceil(outputLength(output) / 4)
      const waitMs = Date.parse(recorded ?? '') - Date.parse(timestamp ?? '')
      if (!(waitMs >= 0)) continue
      known.timedCalls += 1
      const before = longestMs.get(name) ?? 0
      known.maxTimeMs += Math.max(waitMs - before, 0)
      longestMs.set(name, Math.max(waitMs, before))
    }
  }
}

function noCalls(name: string): ToolStats {
  return { name, calls: 0, errors: 0, outputTokensEstimate: 0, maxTimeMs: 0, timedCalls: 0 }
}

/** Characters of text in a tool's output; images have none. */
function outputLength(output: ToolOutput): number {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return output.text.length
    case 'diff':
      return output.fileDiff.length
    case 'todos':
      return sum(output.todos.map((todo) => todo.description))
    case 'ansi':
      return sum(output.lines.map((line) => line.map((token) => token.text).join('')))
    case 'search':
      return output.summary.length + sum(output.matches.map((match) => match.filePath + match.line))
    case 'list':
      return output.summary.length + sum(output.files)
    case 'subagent':
      return (output.result ?? '').length
    case 'unknown':
      return (JSON.stringify(output.json) ?? '').length
    case 'image':
    case 'empty':
      return 0
  }
}

function sum(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0)
}
