import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { handoverQuerySchema } from '@gemini-dash/api'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { readQuery } from '../environment/read-query.ts'
import { ownNames } from '../redaction/own-names.ts'
import type { RunCommand } from '../terminal/commands.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { boundedLines } from './bounded-lines.ts'
import { createMcpServer } from './serve-mcp.ts'
import { SessionSource } from './session-source.ts'

/** What is cut of one text where a tool has no other measure. */
const MAX_TEXT = 2_000
/** One request: more is no question of ours. */
const MAX_REQUEST_BYTES = 1_000_000
/** Whoever closes stdin behind their questions still wants the answers. */
const ANSWERING_MS = 30_000
const CLOSING_MS = 2_000
const STEP_MS = 20

/** Speaks MCP on stdin and stdout until stdin ends. */
export const mcp: RunCommand = async ({ flags, positionals, terminal }) => {
  const { redact } = readQuery(handoverQuerySchema.pick({ redact: true }), { redact: flags.redact })
  // stdout holds the protocol, and nothing else
  const silent = { ...terminal, write: async () => {}, progress: () => {} }
  const source = new SessionSource({ flags, positionals, terminal: silent })
  const server = createMcpServer(source, { names: redact === 'on' ? ownNames() : null, maxText: MAX_TEXT })
  const lines = Readable.from(
    boundedLines(process.stdin, MAX_REQUEST_BYTES, (id) => refuseTooLong(id, terminal)),
  )
  const transport = new CountedTransport(lines, process.stdout)
  if (process.stdin.isTTY)
    terminal.note(
      'Speaks MCP with a client on stdin and stdout; Ctrl+D ends it. The README has the lines for one.',
    )
  await server.connect(transport)
  await once(lines, 'end')
  await transport.answered(ANSWERING_MS)
  await Promise.race([source.close(), pause(CLOSING_MS)])
}

/** `id`: as JSON. */
function refuseTooLong(id: string, terminal: Terminal): void {
  const message = `The request is longer than ${MAX_REQUEST_BYTES / 1e6} MB and was not read.`
  terminal.note(message)
  const error = JSON.stringify({ code: ErrorCode.InvalidRequest, message })
  void terminal.write(`{"jsonrpc":"2.0","id":${id},"error":${error}}\n`)
}

/** Knows which requests have no answer yet. */
class CountedTransport extends StdioServerTransport {
  readonly #waiting = new Set<string | number>()

  override async start(): Promise<void> {
    const { onmessage } = this
    this.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.#waiting.add(message.id)
      // a cancelled one is never answered
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#waiting.delete(message.params?.requestId as string | number)
      onmessage?.(message)
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if (!('method' in message) && message.id !== undefined) this.#waiting.delete(message.id)
  }

  async answered(patienceMs: number): Promise<void> {
    // Steps are counted, not time: a process that was suspended has not waited.
    for (let leftMs = patienceMs; this.#waiting.size > 0 && leftMs > 0; leftMs -= STEP_MS)
      await pause(STEP_MS)
  }
}
