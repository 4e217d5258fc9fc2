import { handoverQuerySchema } from '@gemini-dash/api'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { chosenSession } from '../commands/show.ts'
import { tellFailure } from '../environment/tell-failure.ts'
import { CliError } from '../terminal/cli-error.ts'
import { VERSION } from '../terminal/version.ts'
import { type Outlet, outgoing, RECORDED } from './bounded-answer.ts'
import type { SessionSource } from './session-source.ts'
import { listTools } from './tool-schemas.ts'
import { TOOLS, type ToolName } from './tools.ts'

const SCHEME = 'gemini-dash://session/'
const MARKDOWN = 'text/markdown'
const ABOUT_RESOURCE =
  'What another agent needs to go on with the session, at most 20,000 tokens: what was asked, files, errors, commands, the last exchanges.'
const LISTED_RESOURCES = 50

/** The tools and resources of the contract, over whatever transport it is connected to. */
export function createMcpServer(source: SessionSource, outlet: Outlet): Server {
  const server = new Server(
    { name: 'gemini-dash', title: 'Gemini CLI sessions', version: VERSION },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: `Reads the Gemini CLI sessions that are recorded on this computer, and changes nothing. Begin with search_sessions or list_sessions; get_session and get_messages read one of them. ${RECORDED}`,
      jsonSchemaValidator: {
        getValidator: () => {
          throw new Error('Nothing is asked of the client that would have to be validated.')
        },
      },
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools() }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
    try {
      if (!isTool(name))
        throw new CliError(
          2,
          `There is no tool "${name.slice(0, 100)}".`,
          `Tools are: ${TOOL_NAMES.join(', ')}.`,
        )
      const answer = await TOOLS[name].call(args, source, outlet)
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
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

const TOOL_NAMES = Object.keys(TOOLS)

function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name)
}

async function listResources(source: SessionSource, outlet: Outlet, cursor: string | undefined) {
  const query = { kind: 'main', sort: 'recent', days: 'none', limit: LISTED_RESOURCES, cursor } as const
  const { list } = await source.ask<'list'>({ command: 'list', query, rows: LISTED_RESOURCES })
  const resources = list.sessions.map(({ key, title, project, endTime }) => ({
    uri: `${SCHEME}${encodeURIComponent(key)}`,
    name: String(outgoing(title === '' ? key : title, outlet)),
    description: String(outgoing(`A Gemini CLI session of ${project.name}.`, outlet)),
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
  return String(outgoing(lines.join(' '), outlet))
}
