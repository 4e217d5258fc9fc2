import { createHash } from 'node:crypto'
import { type Depth, type ExportedAgent, type ExportFormat, SCHEMA_VERSION } from '@gemini-dash/api'
import { type Change, type RedactOptions, redactValue } from '@gemini-dash/redact'
import type { Message, Part, Segment, SessionSummary, ToolCall, ToolOutput, Turn } from 'gemini-sessions'
import type { CutMessage } from './choose-messages.ts'

/** The record's version is that of the draft; what is ours in it has this prefix. */
const VERSION = '0.0.1'
const OWN = 'gemini-dash-'

/**
 * A record of the IETF's draft on verifiable conversations with agents. Nothing of the model is dropped: what the draft has no
 * field for stands in fields of ours (docs/decisions/export.md lists them).
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

/** A text alone is a text. */
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

/** What a call was given, and what it gave, where it gave anything. A sub-agent in a file of its own is named by its key. */
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

/** Always there; where the conversation went on in another file stands in it. */
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

/** Only what the draft takes for a time. */
function timeOf(timestamp: string | null): Entry {
  return timestamp !== null && !Number.isNaN(Date.parse(timestamp)) ? { timestamp } : {}
}

/** What is known of a session before its messages. */
export interface ExportHead {
  session: SessionSummary
  segments: readonly Segment[]
  turns: readonly Turn[]
  depth: Depth
  /** Of this program. */
  version: string
  /** Whose clocks are shown. */
  zone: string
  /** SHA-256 of each of its files, as hexadecimal digits, in their order. */
  fileHashes: readonly string[]
  isRedacted: boolean
}

/** Writes a session piece by piece, so that it need never be held as a whole. */
export interface Writer {
  head: (of: ExportHead) => string
  /** `place`: how many messages were written before; `agents`: the conversations below its calls, by key. */
  message: (
    told: CutMessage,
    place: number,
    agents: ReadonlyMap<string, ExportedAgent>,
    of: ExportHead,
  ) => string
  tail: (of: ExportHead) => string
}

/** What stands before and after a session's strips: a document that runs nothing and asks nobody for anything. */
export class HtmlFrame {
  readonly #style: string
  readonly #policy: string

  constructor(style: string) {
    this.#style = style
    const hash = createHash('sha256').update(style).digest('base64')
    this.#policy = [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      // the exact colours of a terminal stand at its words
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

/** A picture as a file of its own: its name is made of its message and its place in it. */
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

/** The pictures that a message holds, in the order in which they are written. */
export function picturesOf(message: Message): PictureFile[] {
  const found: PictureFile[] = []
  mapPictures(message, (name, data) => {
    found.push({ name, messageKey: message.key, data })
    return null
  })
  return found
}

/** The message with the place of each picture's file, as seen from the file that it is written into. */
export function withPictureFiles(message: Message, folder: string): Message {
  return mapPictures(message, (name) => `${folder}/${name}`)
}

/** `placeOf`: what is put in as the address of a picture. */
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

/** What is written of the head, redacted: no more, so that a review counts what is in the file. */
export function redactHead(
  head: ExportHead,
  format: ExportFormat,
  options: RedactOptions | null,
): { head: ExportHead; changes: Change[] } {
  if (options === null) return { head, changes: [] }
  const { value, changes } = redactValue(writtenHead(head, format), options)
  // the same fields with other texts
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

/** The model as `show --json` prints it. */
export const jsonWriter: Writer = {
  head: (of) => `${JSON.stringify(headOf(of)).slice(0, -1)},"messages":[`,
  message: ({ message }, place) =>
    message === null ? '' : `${place === 0 ? '\n' : ',\n'}${JSON.stringify(message)}`,
  tail: () => '\n]}\n',
}

/** The session in the first line, and a message in each other. */
export const jsonLinesWriter: Writer = {
  head: (of) => `${JSON.stringify(headOf(of))}\n`,
  message: ({ message }) => (message === null ? '' : `${JSON.stringify(message)}\n`),
  tail: () => '',
}

function headOf({ session, segments }: ExportHead): object {
  return { schemaVersion: SCHEMA_VERSION, session, segments }
}
