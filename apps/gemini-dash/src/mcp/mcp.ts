import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { handoverQuerySchema } from '@gemini-dash/api'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { chosenSession } from '../commands/show.ts'
import { askRunningServer, readQuery } from '../environment/answer-question.ts'
import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { clockOf, openStore } from '../environment/open-store.ts'
import { tellFailure } from '../environment/open-warnings.ts'
import { ownNames } from '../redaction/own-names.ts'
import {
  type AskedOf,
  answerCommand,
  type CommandAnswers,
  type CommandQuestion,
} from '../store/command-question.ts'
import type { StartedStore } from '../store/create-store.ts'
import { IS_OF_TEXT } from '../store/recovering.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { VERSION } from '../terminal/terminal.ts'
import { type Outlet, outgoing, RECORDED } from './answer-rows.ts'
import { type Asker, argumentsOf, TOOLS, type ToolName } from './tools.ts'

/** One request: more is no question of ours. */
const MAX_REQUEST_BYTES = 1_000_000
/** Whoever closes stdin behind their questions still wants the answers. */
const ANSWERING_MS = 30_000
const CLOSING_MS = 2_000

/** Speaks MCP on stdin and stdout until stdin ends. */
export const mcp: RunCommand = async ({ flags, positionals, terminal }) => {
  const { redact } = readQuery(handoverQuerySchema.pick({ redact: true }), { redact: flags.redact })
  // stdout holds the protocol, and nothing else
  const silent = { ...terminal, write: async () => {}, progress: () => {} }
  const source = new SessionSource({ flags, positionals, terminal: silent })
  const server = createMcpServer(source, { names: redact === 'on' ? ownNames() : null })
  const transport = new LineTransport({
    input: process.stdin,
    output: process.stdout,
    maxLineBytes: MAX_REQUEST_BYTES,
    onRefused: () => terminal.note(`A request of more than ${MAX_REQUEST_BYTES} bytes was refused.`),
  })
  const isClosed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  if (process.stdin.isTTY)
    terminal.note(
      'Speaks MCP with a client on stdin and stdout; Ctrl+D ends it. The README has the lines for one.',
    )
  await server.connect(transport)
  await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), isClosed])
  await transport.answered(ANSWERING_MS)
  await Promise.race([source.close(), pause(CLOSING_MS)])
}

interface LineTransportOptions {
  input: Readable
  output: Writable
  /** A longer line is refused, and never held whole. */
  maxLineBytes: number
  /** A line was refused. The client gets an error where the beginning of the line has its id. */
  onRefused: () => void
}

const NEWLINE = 10
/** What of a refused line is searched for its id. */
const BEGINNING_BYTES = 4_096
/** `id` behind nothing but the names of protocol and method, as clients write it. */
const ID =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*[,}]/

/**
 * One JSON-RPC message a line. The transport of the SDK ends with the first line that is too long; this one answers it
 * with an error and reads on. It knows which requests have no answer yet.
 */
class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void
  readonly #options: LineTransportOptions
  readonly #waiting = new Set<string | number>()
  /** Of the line that has not ended yet. */
  #pieces: Buffer[] = []
  #lineBytes = 0
  #isSkipping = false

  constructor(options: LineTransportOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    this.#options.input.on('data', this.#receive).on('error', this.#fail)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(serializeMessage(message))
    if (!('method' in message) && message.id !== undefined) this.#waiting.delete(message.id)
  }

  async close(): Promise<void> {
    this.#options.input.off('data', this.#receive).off('error', this.#fail).pause()
    this.#startLine()
    this.onclose?.()
  }

  /** Resolves when all requests are answered, or after so long. */
  async answered(patienceMs: number): Promise<void> {
    const giveUpAt = performance.now() + patienceMs
    while (this.#waiting.size > 0 && performance.now() < giveUpAt) await pause(20)
  }

  readonly #fail = (error: Error) => this.onerror?.(error)

  readonly #receive = (chunk: Buffer): void => {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, start)
      this.#take(chunk.subarray(start, end < 0 ? chunk.length : end))
      if (end < 0) return
      this.#endLine()
      start = end + 1
    }
  }

  #take(piece: Buffer): void {
    if (this.#isSkipping) return
    this.#pieces.push(piece)
    this.#lineBytes += piece.length
    if (this.#lineBytes <= this.#options.maxLineBytes) return
    const beginning = Buffer.concat(this.#pieces, Math.min(this.#lineBytes, BEGINNING_BYTES))
    this.#startLine()
    this.#isSkipping = true
    this.#refuse(beginning.toString())
  }

  #endLine(): void {
    const isSkipped = this.#isSkipping
    const line = Buffer.concat(this.#pieces).toString()
    this.#startLine()
    if (isSkipped) return
    try {
      this.#deliver(deserializeMessage(line))
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #startLine(): void {
    this.#pieces = []
    this.#lineBytes = 0
    this.#isSkipping = false
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) this.#waiting.add(message.id)
    // a cancelled one is never answered
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#waiting.delete(message.params?.requestId as string | number)
    this.onmessage?.(message)
  }

  #refuse(beginning: string): void {
    const { maxLineBytes, onRefused } = this.#options
    onRefused()
    const [, id = 'null'] = ID.exec(beginning) ?? []
    const error = {
      code: ErrorCode.InvalidRequest,
      message: `The request is longer than ${maxLineBytes} bytes, so it was not read. Send a shorter one.`,
    }
    void this.#write(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`)
  }

  #write(line: string): Promise<void> {
    const { output } = this.#options
    return new Promise((resolve) => {
      if (output.write(line)) resolve()
      else output.once('drain', resolve)
    })
  }
}

const SCHEME = 'gemini-dash://session/'
const MARKDOWN = 'text/markdown'
const ABOUT_RESOURCE =
  'What another agent needs to go on with the session, at most 20,000 tokens: what was asked, files, errors, commands, the last exchanges.'
const LISTED_RESOURCES = 50
/** A client that says nothing for so long says nothing. */
const ROOTS_MS = 1_000
/** Of the name and the description of a resource. */
const RESOURCE_LIMITS = { other: 60 }
const ERROR_LIMITS = { other: 300 }

/** The tools and resources of the contract, over whatever transport it is connected to. */
function createMcpServer(source: SessionSource, outlet: Outlet): Server {
  const server = new Server(
    { name: 'gemini-dash', title: 'Gemini CLI sessions', version: VERSION },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: `Reads the Gemini CLI sessions that are recorded on this computer, and changes nothing. Begin with search_sessions or list_sessions; get_handover says what one of them was about and left open, get_session and get_messages read more of it. ${RECORDED}`,
      jsonSchemaValidator: {
        getValidator: () => {
          throw new Error('Nothing is asked of the client that would have to be validated.')
        },
      },
    },
  )
  const asker: Asker = {
    ask: (question) => source.ask(question),
    nowMs: () => source.nowMs(),
    folders: () => workingFolders(server),
    outlet,
  }
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools() }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
    try {
      if (!isTool(name))
        throw new CliError(
          2,
          `There is no tool "${name.slice(0, 100)}".`,
          `Tools are: ${TOOL_NAMES.join(', ')}.`,
        )
      const answer = await TOOLS[name].call(args, asker)
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
      return { content: [{ type: 'text', text }] }
    } catch (error) {
      return { content: [{ type: 'text', text: sentencesOf(error, outlet) }], isError: true }
    }
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: `${SCHEME}{key}`,
        name: 'session',
        title: 'A Gemini CLI session',
        description: `${ABOUT_RESOURCE} key: of list_sessions, a session id, or the beginning of one.`,
        mimeType: MARKDOWN,
      },
    ],
  }))
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    refusing(outlet, () => listResources(source, outlet, params?.cursor)),
  )
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    refusing(outlet, () => readResource(source, outlet, uri)),
  )
  return server
}

/** Where the client works, as it tells; else where it started this program. */
async function workingFolders(server: Server): Promise<string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [process.cwd()]
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS })
    return roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []))
  } catch {
    return [process.cwd()]
  }
}

/** All of them read, none changes anything or leaves this computer. */
function listTools() {
  return Object.entries(TOOLS).map(([name, { title, description, schema }]) => {
    const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    return { name, title, description, inputSchema: argumentsOf(schema), annotations: { title, ...hints } }
  })
}

const TOOL_NAMES = Object.keys(TOOLS)

function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name)
}

async function listResources(source: SessionSource, outlet: Outlet, cursor: string | undefined) {
  const query = { kind: 'main', sort: 'recent', days: 'none', limit: LISTED_RESOURCES, cursor } as const
  const { list } = await source.ask<'list'>({ command: 'list', query, rows: LISTED_RESOURCES })
  const resources = list.sessions.map(({ key, title, project, endTime }) => ({
    uri: `${SCHEME}${encodeURIComponent(key)}`,
    name: String(outgoing(title === '' ? key : title, outlet, RESOURCE_LIMITS)),
    description: String(outgoing(`A Gemini CLI session of ${project.name}.`, outlet, RESOURCE_LIMITS)),
    mimeType: MARKDOWN,
    ...(endTime === null ? {} : { annotations: { lastModified: endTime } }),
  }))
  return { resources, ...(list.nextCursor === null ? {} : { nextCursor: list.nextCursor }) }
}

async function readResource(source: SessionSource, { names }: Outlet, uri: string) {
  const keyOrId = keyOf(uri)
  const query = handoverQuerySchema.parse({ redact: names === null ? 'off' : 'on' })
  const { resolution, handover } = await source.ask<'handover'>({ command: 'handover', keyOrId, ...query })
  const key = chosenSession(keyOrId, resolution)
  if (handover === null) throw new CliError(1, `The files of session ${key} have just been deleted.`)
  return { contents: [{ uri, mimeType: MARKDOWN, text: `${RECORDED}\n\n${handover.text}` }] }
}

function keyOf(uri: string): string {
  try {
    if (uri.startsWith(SCHEME)) return decodeURIComponent(uri.slice(SCHEME.length))
  } catch {
    // a percent sign that begins nothing: told below
  }
  throw new CliError(1, `Resources are ${SCHEME}KEY.`)
}

/** A resource has no answer for what goes wrong, but an error of the protocol. */
async function refusing<Result>(outlet: Outlet, answer: () => Promise<Result>): Promise<Result> {
  try {
    return await answer()
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, sentencesOf(error, outlet))
  }
}

/** What the terminal would say, never a stack. */
function sentencesOf(error: unknown, outlet: Outlet): string {
  const lines: string[] = []
  const note = (line: string) => lines.push(line)
  const silent = {
    write: async () => {},
    progress: () => {},
    clearProgress: () => {},
    columns: null,
    isColorful: false,
  }
  tellFailure(error, { ...silent, note })
  return String(outgoing(lines.join(' '), outlet, ERROR_LIMITS))
}

/** A search of a large home that was never read answers so long after it was asked with what has been read by then. */
const FIRST_ANSWER_MS = 2_000
/** Where the look at the home took longer, so much is left to read. */
const LEAST_READING_MS = 400

/**
 * Answers question after question, each as a command that is started now would: a running server does, as long as there is
 * one, else a store of this process, which looks at the disk again before each answer. As long as that has not read everything,
 * only what an answer is made of is waited for, and a search answers of what was read so far.
 */
class SessionSource {
  readonly #input: CommandInput
  #started: Promise<StartedStore> | null = null
  #reading: Promise<void> | null = null
  /** The index was asked for all texts. */
  #readsAll = false

  constructor(input: CommandInput) {
    this.#input = input
  }

  /** @throws CliError where there is no Gemini home */
  async ask<Name extends CommandQuestion['command']>(question: AskedOf<Name>): Promise<CommandAnswers[Name]> {
    const answerAtMs = performance.now() + FIRST_ANSWER_MS
    const answer = await askRunningServer(this.#input, question)
    if (answer !== null) return answer as CommandAnswers[Name]
    const started = await this.#opened()
    const { store } = started
    if (this.#readsAll && store.isReady()) return answerCommand((await store.asCommand()) ?? store, question)
    if (IS_OF_TEXT.has(question.command)) {
      const isSoon = started.isSoonRead()
      await this.#readAll(started)
      const leftMs = Math.max(LEAST_READING_MS, answerAtMs - performance.now())
      await Promise.race([store.whenReady(), ...(isSoon ? [] : [pause(leftMs)])])
      return answerCommand(store, question)
    }
    await started.readFor(question)
    const told = await answerCommand(store, question)
    // what the next question needs is read while the agent thinks
    void this.#readAll(started).catch(() => {})
    return told
  }

  /** What the asker takes for now, in ms since 1970. */
  async nowMs(): Promise<number> {
    return (await clockOf(this.#input.flags))()
  }

  async close(): Promise<void> {
    const started = await this.#started?.catch(() => null)
    await started?.store.close()
  }

  #readAll({ begin }: StartedStore): Promise<void> {
    this.#reading ??= begin('text').then(() => {
      this.#readsAll = true
    })
    return this.#reading
  }

  /** What failed is tried again when the next question comes: a home may be there by then. */
  #opened(): Promise<StartedStore> {
    this.#started ??= this.#open().catch((error: unknown) => {
      this.#started = null
      throw error
    })
    return this.#started
  }

  async #open(): Promise<StartedStore> {
    const { flags, terminal } = this.#input
    const homes = chooseExistingHomes(flags)
    const started = await openStore({ homes, flags, terminal, isWatching: false })
    await started.open()
    return started
  }
}
