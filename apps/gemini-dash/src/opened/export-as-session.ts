import { readFileSync } from 'node:fs'
import type { Message, Part, ToolCall, ToolOutput } from 'gemini-sessions'
import { messageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { CliError } from '../terminal/cli-error.ts'
import type { HandedFile } from './handed-files.ts'

/** Reading holds several copies in memory, so larger files are refused. */
const MOST_BYTES = 256 * 1024 * 1024

const headSchema = z.object({
  schemaVersion: z.number(),
  session: z.object({
    sessionId: z.string(),
    kind: z.string().optional(),
    project: z.object({ name: z.string() }).nullish(),
    startTime: z.string().nullish(),
    lastUpdated: z.string().nullish(),
    title: z.string().nullish(),
    titleSource: z.string().nullish(),
  }),
})

type Row = Record<string, unknown>

/**
 * Converts an export in `json` or `jsonl` to a session file: messages, calls, tokens, and what was rewound.
 *
 * @throws CliError if the export is truncated or was modified
 */
export function exportAsSession(file: HandedFile): HandedFile {
  const { name, path, bytes, sizeBytes, baseName } = file
  if (sizeBytes > MOST_BYTES)
    throw new CliError(1, `${name} is an export larger than 256 MB, which can’t be opened.`, ADVICE)
  const text = Buffer.from(bytes ?? readFileSync(path ?? '')).toString('utf8')
  const { head, messages } = readExport(name, text)
  const { sessionId, kind, project, startTime, lastUpdated, title, titleSource } = head.session
  const metadata = {
    sessionId,
    projectHash: '',
    ...(startTime && { startTime }),
    ...(lastUpdated && { lastUpdated }),
    kind: kind === 'subagent' ? 'subagent' : 'main',
    ...(titleSource === 'summary' && title && { summary: title }),
  }
  const rows = [metadata, ...rowsOf(messages)]
  const content = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return {
    ...file,
    ...(project && { project: project.name }),
    baseName: `${baseName.replace(/\.jsonl?$/i, '')}.jsonl`,
    ...{ path: null, bytes: content, sizeBytes: content.length },
  }
}

const ADVICE = 'Export it again. With --format raw, it has the original files of Gemini CLI.'

function readExport(name: string, text: string): { head: z.infer<typeof headSchema>; messages: Message[] } {
  const damaged = (reason: string) =>
    new CliError(1, `${name} cannot be opened: it is an export of gemini-dash that ${reason}.`, ADVICE)
  const [first, ...others] = valuesOf(text) ?? []
  const head = headSchema.safeParse(first)
  if (!head.success) throw damaged('is cut off or damaged')
  const listed = z.object({ messages: z.array(z.unknown()) }).safeParse(first)
  const rows = listed.success ? listed.data.messages : others
  const messages = rows.map((row) => {
    const message = messageSchema.safeParse(row)
    if (!message.success) throw damaged('was made by another version or changed since')
    return message.data
  })
  return { head: head.data, messages }
}

/** The document, or the value of each line; null: invalid JSON. */
function valuesOf(text: string): unknown[] | null {
  try {
    return [JSON.parse(text)]
  } catch {
    // JSON lines, or damaged
  }
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): unknown => JSON.parse(line))
  } catch {
    return null
  }
}

/**
 * In order. Rewound messages are followed by the record that rewound them; messages dropped by a compression or a failed request, by the
 * list of the remaining ones, as Gemini CLI writes both.
 */
function* rowsOf(messages: readonly Message[]): Generator<Row> {
  const live: Row[] = []
  let rewound: string | null = null
  let isDropped = false
  for (const message of messages) {
    const row = toRow(message)
    if (rewound !== null && message.superseded !== 'rewound') {
      yield { $rewindTo: rewound }
      rewound = null
    }
    if (message.superseded !== null) {
      if (message.superseded === 'rewound') rewound ??= String(row.id)
      else isDropped = true
      yield row
      continue
    }
    live.push(row)
    yield isDropped ? { $set: { messages: [...live] } } : row
    isDropped = false
  }
  if (rewound !== null) yield { $rewindTo: rewound }
  if (isDropped) yield { $set: { messages: live } }
}

function toRow(message: Message): Row {
  const { id, key, timestamp, type, model, thoughts, toolCalls, usage } = message
  return {
    id: id === '' ? key : id,
    ...(timestamp && { timestamp }),
    type: type === 'unknown' ? 'info' : type,
    ...contentOf(message),
    ...(model && { model }),
    ...(thoughts.length > 0 && {
      thoughts: thoughts.map(({ subject, description, timestamp: at }) => ({
        subject,
        description,
        ...(at && { timestamp: at }),
      })),
    }),
    ...(usage && { tokens: tokensOf(usage) }),
    ...(toolCalls.length > 0 && { toolCalls: toolCalls.map(toCallRow) }),
  }
}

/** What was typed, followed by what Gemini CLI added to it. */
function contentOf({ content, attachments, type, origin, key }: Message): Row {
  // its content is in its calls; still, it is not a prompt
  if (origin === 'tool-result' && content.length === 0)
    return { content: [{ functionResponse: { id: `result-${key}`, name: '', response: {} } }] }
  const said = content.flatMap(toParts)
  if (attachments.length === 0) {
    const [only] = said
    const isText = said.length === 1 && typeof only?.text === 'string'
    return { content: said.length === 0 ? '' : isText && type !== 'user' ? only.text : said }
  }
  const added = attachments.map(({ path, text }) => ({
    text:
      path === ''
        ? text
        : `\n--- Content from referenced files ---\nContent from @${path}:\n${text}\n--- End of content ---`,
  }))
  return { content: [...said, ...added], displayContent: said }
}

function tokensOf({ input, output, cached, thoughts, tool, total }: NonNullable<Message['usage']>): Row {
  return { input, output, cached, thoughts, tool, total }
}

function toCallRow(call: ToolCall): Row {
  const { id, name, args, status, timestamp, displayName, description, output, display, agentId } = call
  const isUnanswered = status === 'unanswered'
  const response = { functionResponse: { id, name, response: responseOf(output) } }
  return {
    ...{ id, name, args },
    ...(!isUnanswered && { status, result: [response, ...call.extraParts.flatMap(toParts)] }),
    ...(timestamp && { timestamp }),
    ...(displayName && { displayName }),
    ...(description && { description }),
    ...(agentId && { agentId }),
    ...displayOf(display),
  }
}

function responseOf(output: ToolOutput): unknown {
  switch (output.kind) {
    case 'text':
    case 'markdown':
      return { output: output.text }
    case 'error':
      return { error: output.text }
    case 'unknown':
      return output.json
    default:
      return {}
  }
}

/** Null if the call recorded no display. */
function displayOf(display: ToolOutput | null): Row {
  switch (display?.kind) {
    case 'text':
    case 'error':
      return { resultDisplay: display.text }
    case 'markdown':
      return { resultDisplay: display.text, renderOutputAsMarkdown: true }
    case 'diff':
      return display.isRebuilt ? {} : { resultDisplay: diffOf(display) }
    case 'todos':
      return { resultDisplay: { todos: display.todos } }
    case 'ansi':
      return { resultDisplay: display.lines }
    case 'search':
      return { resultDisplay: { summary: display.summary, matches: display.matches } }
    case 'list':
      return {
        resultDisplay: { summary: display.summary, files: display.files, skipped: display.skipped },
      }
    case 'subagent': {
      const { agentName, state, activity, result, terminateReason } = display
      const recentActivity = activity.map((step) => ({ ...step, args: JSON.stringify(step.args) }))
      return {
        resultDisplay: {
          ...{ isSubagentProgress: true, agentName, recentActivity },
          ...(state && { state }),
          ...(result && { result }),
          ...(terminateReason && { terminateReason }),
        },
      }
    }
    case 'unknown':
      return { resultDisplay: display.json }
    default:
      return {}
  }
}

function diffOf(diff: Extract<ToolOutput, { kind: 'diff' }>): Row {
  const { fileName, filePath, fileDiff, originalContent, newContent, isNewFile } = diff
  return { fileName, ...(filePath && { filePath }), fileDiff, originalContent, newContent, isNewFile }
}

function toParts(part: Part): Row[] {
  switch (part.kind) {
    case 'text':
      return [{ text: part.text }]
    case 'code': {
      const { language, code, outcome, output } = part
      const result = outcome === null && output === null ? [] : [{ codeExecutionResult: { outcome, output } }]
      return [{ executableCode: { language, code } }, ...result]
    }
    case 'unknown':
      return typeof part.json === 'object' && part.json !== null ? [part.json as Row] : []
    default: {
      const { mimeType, data, uri } = part
      if (data !== null) return [{ inlineData: { mimeType, data } }]
      return [uri === null ? { text: `[${mimeType}]` } : { fileData: { mimeType, fileUri: uri } }]
    }
  }
}
