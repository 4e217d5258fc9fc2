import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { handoverQuerySchema } from '@gemini-dash/api'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
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
import { IS_OF_TEXT } from '../store/read-needed.ts'
import { CliError, type Terminal } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { VERSION } from '../terminal/terminal.ts'
import { type Outlet, outgoing, RECORDED } from './answer-rows.ts'
import { boundedLines } from './bounded-lines.ts'
import { type Asker, argumentsOf, TOOLS, type ToolName } from './tools.ts'

/** Of one request; no valid question is longer. */
const MAX_REQUEST_BYTES = 1_000_000
/** Clients that close stdin right after their questions still want the answers. */
const ANSWERING_MS = 30_000
const CLOSING_MS = 2_000
const STEP_MS = 20

/** Speaks MCP on stdin and stdout until stdin ends. */
export const mcp: RunCommand = async ({ flags, positionals, terminal }) => {
  const { redact } = readQuery(handoverQuerySchema.pick({ redact: true }), { redact: flags.redact })
  // stdout is reserved for the protocol
  const silent = { ...terminal, write: async () => {}, progress: () => {} }
  const source = new SessionSource({ flags, positionals, terminal: silent })
  const server = createMcpServer(source, { names: redact === 'on' ? ownNames() : null })
  const lines = Readable.from(
    boundedLines(process.stdin, MAX_REQUEST_BYTES, (id) => refuseTooLong(id, terminal)),
  )
  const transport = new CountedTransport(lines, process.stdout)
  if (process.stdin.isTTY)
    terminal.note(
      'Speaks MCP with a client on stdin and stdout. Press Ctrl+D to stop. The README shows how to set up a client.',
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

/** Tracks which requests have no answer yet. */
class CountedTransport extends StdioServerTransport {
  readonly #waiting = new Set<string | number>()

  override async start(): Promise<void> {
    const receive = this.onmessage
    this.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.#waiting.add(message.id)
      // a cancelled request is never answered
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#waiting.delete(message.params?.requestId as string | number)
      receive?.(message)
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if (!('method' in message) && message.id !== undefined) this.#waiting.delete(message.id)
  }

  async answered(patienceMs: number): Promise<void> {
    // Counts steps, not time: time in which the process was suspended does not count.
    for (let leftMs = patienceMs; this.#waiting.size > 0 && leftMs > 0; leftMs -= STEP_MS)
      await pause(STEP_MS)
  }
}

const SCHEME = 'gemini-dash://session/'
const MARKDOWN = 'text/markdown'
const ABOUT_RESOURCE =
  'What another agent needs to continue the session, in at most 20,000 tokens: prompts, files, errors, commands, the last exchanges.'
const LISTED_RESOURCES = 50
/** How long to wait for the client's answer. */
const ROOTS_MS = 1_000
/** For the name and the description of a resource. */
const RESOURCE_LIMITS = { other: 60 }
const ERROR_LIMITS = { other: 300 }

/** The tools and resources of the contract, on any transport. */
function createMcpServer(source: SessionSource, outlet: Outlet): Server {
  const server = new Server(
    { name: 'gemini-dash', title: 'Gemini CLI sessions', version: VERSION },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: `Reads the Gemini CLI sessions recorded on this computer and changes nothing. Start with search_sessions or list_sessions; get_handover says what a session was about and left open, get_session and get_messages read more. ${RECORDED}`,
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
        description: `${ABOUT_RESOURCE} key: from list_sessions, a session ID, or the beginning of one.`,
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

/** The folders the client reports as its roots; otherwise the current folder of this process. */
async function workingFolders(server: Server): Promise<string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [process.cwd()]
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS })
    return roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []))
  } catch {
    return [process.cwd()]
  }
}

/** All of them are read-only and never leave this computer. */
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
    // a stray percent sign: refused below
  }
  throw new CliError(1, `Resources are ${SCHEME}KEY.`)
}

/** A resource can only report a failure as a protocol error. */
async function refusing<Result>(outlet: Outlet, answer: () => Promise<Result>): Promise<Result> {
  try {
    return await answer()
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, sentencesOf(error, outlet))
  }
}

/** The same message as in the terminal, never a stack. */
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

/** A search of a large home that was never indexed answers after this time with what has been read by then. */
const FIRST_ANSWER_MS = 2_000
/** If scanning the home took longer, this much time is left for reading. */
const LEAST_READING_MS = 400

/**
 * Answers questions one after another, each as a newly started command would: through a running server if there is one, otherwise through a
 * store in this process, which scans the disk before each answer. Until that store has read everything, it waits only for what an answer
 * needs, and a search covers what was read so far.
 */
class SessionSource {
  readonly #input: CommandInput
  #started: Promise<StartedStore> | null = null
  #reading: Promise<void> | null = null
  /** The index has been requested to read all texts. */
  #readsAll = false

  constructor(input: CommandInput) {
    this.#input = input
  }

  /** @throws CliError if there is no Gemini home */
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
    const answered = await answerCommand(store, question)
    // reads what the next question needs while the agent thinks
    void this.#readAll(started).catch(() => {})
    return answered
  }

  /** The current time for the caller, in ms since 1970. */
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

  /** A failure is retried with the next question: a home may exist by then. */
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
