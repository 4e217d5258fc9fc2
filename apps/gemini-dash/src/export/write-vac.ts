import { createHash } from 'node:crypto'
import { type Depth, type ExportedAgent, type ExportFormat, SCHEMA_VERSION } from '@gemini-dash/api'
import { type Change, type RedactOptions, redactValue } from '@gemini-dash/redact'
import type { Message, Part, Segment, SessionSummary, ToolCall, ToolOutput, Turn } from 'gemini-sessions'
import type { CutMessage } from './choose-messages.ts'

/** The record's version is that of the draft; our own fields have this prefix. */
const VERSION = '0.0.1'
const OWN = 'gemini-dash-'

/**
 * A record according to the IETF draft on verifiable conversations with agents. Nothing of the model is dropped: data that the draft has no
 * field for is in fields of our own (docs/decisions/export.md lists them).
 */
export const vacWriter: Writer = {
  head: (of) => {
    const record = { ...recordOf(of), session: sessionOf(of) }
    // `entries` is the last field of the session, and the session of the record
    return `${JSON.stringify(record).slice(0, -2)},"entries":[\n${JSON.stringify(beginning(of))}`
  },
  message: ({ message, fate, closing }) => {
    const entries = message === null ? [] : [entryOf(message, fate)]
    if (closing !== null) entries.push(event('turn-failed', { text: closing }))
    return entries.map((entry) => `,\n${JSON.stringify(entry)}`).join('')
  },
  tail: (of) => `${subagentEvents(of)}\n]}}\n`,
}

type Entry = Record<string, unknown>

function recordOf({ session, version, fileHashes, isRedacted, depth }: ExportHead): Entry {
  return {
    version: VERSION,
    id: session.key,
    ...(session.startTime !== null && { created: session.startTime }),
    'recording-agent': { name: 'gemini-dash', version },
    [`${OWN}title`]: session.title,
    [`${OWN}depth`]: depth,
    [`${OWN}redacted`]: isRedacted,
    [`${OWN}files`]: session.files.map((file, index) => ({
      ...file,
      ...(fileHashes[index] !== undefined && { sha256: fileHashes[index] }),
    })),
  }
}

function sessionOf({ session }: ExportHead): Entry {
  const { sessionId, startTime, lastUpdated, endTime, project, models, usage, cost } = session
  const names = models?.map(({ name }) => name) ?? []
  const end = lastUpdated ?? endTime
  return {
    format: 'interactive',
    'session-id': sessionId,
    ...(startTime !== null && { 'session-start': startTime }),
    ...(end !== null && { 'session-end': end }),
    'agent-meta': {
      'model-id': names[0] ?? 'unknown',
      'model-provider': 'google',
      models: names,
      'cli-name': 'gemini-cli',
    },
    ...(project.path !== null && {
      environment: { 'working-dir': project.path, [`${OWN}project`]: project },
    }),
    [`${OWN}usage`]: usage,
    [`${OWN}cost`]: cost,
    [`${OWN}kind`]: session.kind,
    [`${OWN}parent`]: session.parentKey,
  }
}

function entryOf(message: Message, fate: CutMessage['fate']): Entry {
  const { type, origin, id, key, timestamp, model, usage, cost, attachments, superseded } = message
  const own = {
    ...timeOf(timestamp),
    id: key,
    ...(id !== key && { [`${OWN}recorded-id`]: id }),
    [`${OWN}origin`]: origin,
    [`${OWN}source`]: message.source,
    [`${OWN}segment`]: message.segment,
    ...(superseded !== null && { [`${OWN}superseded`]: superseded, [`${OWN}fate`]: fate }),
    ...(message.copyOf !== null && { [`${OWN}copy-of`]: message.copyOf }),
    ...(message.agentKey !== null && { [`${OWN}agent`]: message.agentKey }),
    ...(attachments.length > 0 && { [`${OWN}attachments`]: attachments }),
  }
  const content = contentOf(message.content)
  if (type !== 'user' && type !== 'gemini') {
    return { type: 'system-event', 'event-type': type, data: { content }, ...own }
  }
  const children = [...reasoningOf(message), ...message.toolCalls.flatMap(callEntries)]
  return {
    type: type === 'user' ? 'user' : 'assistant',
    content,
    ...own,
    ...(model !== null && { 'model-id': model }),
    ...(usage !== null && {
      'token-usage': {
        input: usage.input,
        output: usage.output,
        cached: usage.cached,
        reasoning: usage.thoughts,
        total: usage.total,
        ...(cost?.usd != null && { cost: cost.usd }),
        [`${OWN}tool`]: usage.tool,
      },
    }),
    ...(children.length > 0 && { children }),
  }
}

/** Plain text if it is the only part. */
function contentOf(parts: readonly Part[]): unknown {
  const [first] = parts
  return parts.length === 1 && first?.kind === 'text' ? first.text : parts
}

function reasoningOf({ thoughts }: Message): Entry[] {
  return thoughts.map(({ subject, description, timestamp }) => ({
    type: 'reasoning',
    content: description,
    ...(subject !== '' && { subject }),
    ...timeOf(timestamp),
  }))
}

/** Arguments of a call, and its result if it has one. A sub-agent in a separate file is referred to by its key. */
function callEntries(call: ToolCall): Entry[] {
  const { id, name, args, timestamp, output, status, failed } = call
  const shared = { ...(id !== '' && { 'call-id': id }), ...timeOf(timestamp) }
  const given: Entry = {
    type: 'tool-call',
    name,
    input: args ?? null,
    ...shared,
    ...(call.displayName !== null && { [`${OWN}display-name`]: call.displayName }),
    ...(call.description !== null && { [`${OWN}description`]: call.description }),
    ...(call.agentId !== null && { [`${OWN}agent-id`]: call.agentId }),
    ...(call.agentKey !== null && { [`${OWN}agent`]: call.agentKey }),
  }
  const gave: Entry = {
    type: 'tool-result',
    output: plainOutput(output),
    ...shared,
    status,
    'is-error': failed,
    ...(call.display !== null && { [`${OWN}display`]: call.display }),
    ...(call.extraParts.length > 0 && { [`${OWN}extra-parts`]: call.extraParts }),
    ...(call.exitCode !== null && { [`${OWN}exit-code`]: call.exitCode }),
  }
  return [given, gave]
}

function plainOutput(output: ToolOutput): unknown {
  return output.kind === 'text' ? output.text : output
}

/** Always written; lists the files in which the conversation continued. */
function beginning({ segments }: ExportHead): Entry {
  return event('segments', { segments })
}

function subagentEvents({ session }: ExportHead): string {
  return session.subagentKeys
    .map((key) => `,\n${JSON.stringify(event('sub-agent', { session: key }))}`)
    .join('')
}

function event(name: string, data: Entry): Entry {
  return { type: 'system-event', 'event-type': `${OWN}${name}`, data }
}

/** Omits times that the draft does not accept. */
function timeOf(timestamp: string | null): Entry {
  return timestamp !== null && !Number.isNaN(Date.parse(timestamp)) ? { timestamp } : {}
}

/** What is known about a session before its messages. */
export interface ExportHead {
  session: SessionSummary
  segments: readonly Segment[]
  turns: readonly Turn[]
  depth: Depth
  /** Version of this program. */
  version: string
  /** The time zone of the times shown. */
  zone: string
  /** SHA-256 of each of its files, in hexadecimal, in their order. */
  fileHashes: readonly string[]
  isRedacted: boolean
}

/** Writes a session piece by piece, so that it is never held in full. */
export interface Writer {
  head: (of: ExportHead) => string
  /** `place`: number of messages written before; `agents`: the conversations below its calls, by key. */
  message: (
    chosen: CutMessage,
    place: number,
    agents: ReadonlyMap<string, ExportedAgent>,
    of: ExportHead,
  ) => string
  tail: (of: ExportHead) => string
}

/** The HTML before and after a session's content: a document that runs no scripts and makes no requests. */
export class HtmlFrame {
  readonly #style: string
  readonly #policy: string

  constructor(style: string) {
    this.#style = style
    const hash = createHash('sha256').update(style).digest('base64')
    this.#policy = [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      // the exact colors of terminal output are inline styles
      "style-src-attr 'unsafe-inline'",
      'img-src data:',
      'font-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; ')
  }

  head({ title, version, top }: { title: string; version: string; top: string }): string {
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${this.#policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="gemini-dash ${escapeHtml(version)}">
<title>${escapeHtml(title)}</title>
<style>${this.#style}</style>
</head>
<body>
${top}`
  }

  tail(bottom: string): string {
    return `${bottom}
</body>
</html>
`
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)
}

/** A picture as a separate file, named by its message and its position there. */
export interface PictureFile {
  name: string
  messageKey: string
  data: string
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

type Held = Part | ToolOutput

/** The pictures of a message, in the order in which they are written. */
export function picturesOf(message: Message): PictureFile[] {
  const found: PictureFile[] = []
  mapPictures(message, (name, data) => {
    found.push({ name, messageKey: message.key, data })
    return null
  })
  return found
}

/** The message with the path of each picture's file, relative to the file that contains the message. */
export function withPictureFiles(message: Message, folder: string): Message {
  return mapPictures(message, (name) => `${folder}/${name}`)
}

/** `placeOf`: returns the address to insert for a picture. */
function mapPictures(message: Message, placeOf: (name: string, data: string) => string | null): Message {
  const key = message.key.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
  const place = <Each extends Held>(part: Each, at: string): Each => {
    if (part.kind !== 'image' || part.data === null) return part
    const ending = ENDINGS[part.mimeType]
    if (ending === undefined) return part
    const href = placeOf(`${key}-${at}.${ending}`, part.data)
    return href === null ? part : { ...part, href }
  }
  return {
    ...message,
    content: message.content.map((part, index) => place(part, `${index}`)),
    toolCalls: message.toolCalls.map((call, index) => ({
      ...call,
      output: place(call.output, `call-${index}`),
      extraParts: call.extraParts.map((part, extra) => place(part, `call-${index}-${extra}`)),
    })),
  }
}

/** Only the written part of the head, redacted, so that a review counts exactly what is in the file. */
export function redactHead(
  head: ExportHead,
  format: ExportFormat,
  options: RedactOptions | null,
): { head: ExportHead; changes: Change[] } {
  if (options === null) return { head, changes: [] }
  const { value, changes } = redactValue(writtenHead(head, format), options)
  // the same fields with redacted texts
  const { session, segments } = value as ReturnType<typeof writtenHead>
  return {
    head: { ...head, session: { ...head.session, ...session }, ...(segments && { segments }) },
    changes,
  }
}

function writtenHead(
  { session, segments }: ExportHead,
  format: ExportFormat,
): { session: Partial<SessionSummary>; segments?: ExportHead['segments'] } {
  const { title, project, files } = session
  if (format === 'markdown') return { session: { title, project } }
  return format === 'vac' ? { session: { title, project, files }, segments } : { session, segments }
}

/** The same model as `show --json`. */
export const jsonWriter: Writer = {
  head: (of) => `${JSON.stringify(headOf(of)).slice(0, -1)},"messages":[`,
  message: ({ message }, place) =>
    message === null ? '' : `${place === 0 ? '\n' : ',\n'}${JSON.stringify(message)}`,
  tail: () => '\n]}\n',
}

/** The session in the first line, one message in each further line. */
export const jsonLinesWriter: Writer = {
  head: (of) => `${JSON.stringify(headOf(of))}\n`,
  message: ({ message }) => (message === null ? '' : `${JSON.stringify(message)}\n`),
  tail: () => '',
}

function headOf({ session, segments }: ExportHead): object {
  return { schemaVersion: SCHEMA_VERSION, session, segments }
}
