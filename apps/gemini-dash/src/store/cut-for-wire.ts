import { MAX_FIELD_BYTES, sessionPath } from '@gemini-dash/api'
import {
  type Cut,
  type Message,
  type Part,
  type PixelSize,
  readCutMark,
  type ToolCall,
  type ToolOutput,
} from 'gemini-sessions'
import { disableTypes, imageSize } from 'image-size'

/**
 * A message in the form sent to a page: no text field over 64 KB and no base64. What was cut or left out is listed with its size and the
 * URL of the whole. Unchanged messages are returned as they are.
 */
export function cutForWire(message: Message, sessionKey: string): Message {
  const rawHref = sessionPath('messages/:messageKey/raw', sessionKey, { messageKey: message.key })
  return {
    ...message,
    content: message.content.map((part, index) =>
      cutPart(part, {
        href: sessionPath('messages/:messageKey/parts/:index', sessionKey, {
          messageKey: message.key,
          index,
        }),
        rawHref,
      }),
    ),
    attachments: message.attachments.map((attachment) => cutText(attachment, { href: rawHref, rawHref })),
    thoughts: message.thoughts.map((thought) =>
      cutFields(thought, ['subject', 'description'], { href: rawHref, rawHref }),
    ),
    toolCalls: message.toolCalls.map((call) => cutCall(call, sessionKey, rawHref)),
  }
}

/** URL of the complete field, and the record that it comes from. */
interface Links {
  href: string
  rawHref: string
}

function cutCall(call: ToolCall, sessionKey: string, rawHref: string): ToolCall {
  const href =
    call.id === '' ? rawHref : sessionPath('tool-calls/:callId/output', sessionKey, { callId: call.id })
  return {
    ...call,
    ...cutArgs(call.args, rawHref),
    output: cutOutput(call.output, { href, rawHref }),
    display: call.display === null ? null : cutOutput(call.display, { href: `${href}?of=display`, rawHref }),
    extraParts: call.extraParts.map((part, index) =>
      cutPart(part, { href: `${href}?of=extra-${index}`, rawHref }),
    ),
  }
}

function cutArgs(args: unknown, href: string): { args: unknown; cut?: Cut } {
  const cut = cutJson(args)
  return cut === args ? { args } : { args: cut, cut: cutOfJson(args, { href, rawHref: href }) }
}

function cutPart(part: Part, links: Links): Part {
  switch (part.kind) {
    case 'text':
      return cutText(part, links)
    case 'image':
      return cutImage(part, links)
    case 'audio':
    case 'file':
      return part.data === null ? part : { ...part, data: null, href: links.href }
    case 'code':
      return cutFields(part, ['code', 'output'], links)
    case 'unknown':
      return cutUnknown(part, links)
  }
}

function cutOutput(output: ToolOutput, links: Links): ToolOutput {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return cutText(output, links)
    case 'diff':
      return cutFields(output, ['fileDiff', 'originalContent', 'newContent'], links)
    case 'subagent':
      return cutFields(output, ['result'], links)
    case 'image':
      return cutImage(output, links)
    case 'ansi':
      return cutList(output, 'lines', links)
    case 'search':
      return cutList(output, 'matches', links)
    case 'list':
      return cutList(output, 'files', links)
    case 'unknown':
      return cutUnknown(output, links)
    case 'todos':
    case 'empty':
      return output
  }
}

function cutImage<T extends { data: string | null; href: string | null }>(image: T, { href }: Links): T {
  return image.data === null ? image : { ...image, data: null, href, pixelSize: pixelSize(image.data) }
}

function cutText<T extends { text: string; cut?: Cut | undefined }>(value: T, links: Links): T {
  return cutFields(value, ['text'], links)
}

function cutFields<T extends { cut?: Cut | undefined }>(value: T, fields: (keyof T)[], links: Links): T {
  let sizeBytes = 0
  let notHeld = 0
  let result = value
  for (const field of fields) {
    const text = value[field]
    if (typeof text !== 'string' || !isLong(text)) continue
    sizeBytes += Buffer.byteLength(text)
    notHeld += notHeldBytes(text)
    result = { ...result, [field]: head(text) }
  }
  return sizeBytes === 0 ? value : { ...result, cut: cutOf(sizeBytes, notHeld, links) }
}

function cutOf(sizeBytes: number, notHeld: number, { href, rawHref }: Links): Cut {
  if (notHeld === 0) return { sizeBytes, href }
  return { sizeBytes, href, raw: { sizeBytes: sizeBytes + notHeld, href: rawHref } }
}

function cutOfJson(value: unknown, links: Links): Cut {
  return cutOf(jsonBytes(value), notHeldIn(value), links)
}

/** The number of bytes that the reader left out at the end of a text. */
function notHeldBytes(text: string): number {
  return Math.max(0, (readCutMark(text) ?? 0) - Buffer.byteLength(text))
}

function notHeldIn(value: unknown): number {
  if (typeof value === 'string') return notHeldBytes(value)
  if (value === null || typeof value !== 'object') return 0
  return Object.values(value).reduce<number>((sum, item) => sum + notHeldIn(item), 0)
}

/** Lists of rows are cut between rows, so that each row shown is complete. */
function cutList<K extends string, T extends { cut?: Cut | undefined } & Record<K, unknown[]>>(
  value: T,
  field: K,
  { href }: Links,
): T {
  let sizeBytes = 0
  let keptRows = 0
  for (const row of value[field]) {
    sizeBytes += jsonBytes(row)
    if (sizeBytes <= MAX_FIELD_BYTES) keptRows++
  }
  if (sizeBytes <= MAX_FIELD_BYTES) return value
  return { ...value, [field]: value[field].slice(0, keptRows), cut: { sizeBytes, href } }
}

function cutUnknown<T extends { json?: unknown; cut?: Cut | undefined }>(value: T, links: Links): T {
  const json = cutJson(value.json)
  return json === value.json ? value : { ...value, json, cut: cutOfJson(value.json, links) }
}

/** Pages show no more fields or items; the link leads to all of them. */
const MAX_ENTRIES = 10_000

/**
 * Long strings and long lists inside a JSON value end in a mark that states how much is missing. Returns the same value if none is long.
 */
function cutJson(value: unknown): unknown {
  if (typeof value === 'string') {
    return isLong(value) ? `${head(value)}… (${Buffer.byteLength(value)} bytes)` : value
  }
  if (value === null || typeof value !== 'object') return value
  const all = Object.entries(value)
  const entries = all.slice(0, MAX_ENTRIES).map(([key, item]) => [key, cutJson(item), item] as const)
  if (all.length > MAX_ENTRIES) entries.push(['…', `${all.length - MAX_ENTRIES} more`, undefined])
  if (entries.every(([, cut, item]) => cut === item)) return value
  if (Array.isArray(value)) return entries.map(([, cut]) => cut)
  return Object.fromEntries(entries.map(([key, cut]) => [key, cut]))
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function isLong(text: string): boolean {
  // A UTF-16 unit is at most 3 bytes of UTF-8: most texts need no count.
  return text.length * 3 > MAX_FIELD_BYTES && Buffer.byteLength(text) > MAX_FIELD_BYTES
}

/** The longest beginning of at most 60 KB that does not split a character; leaves room for the mark of cutJson. */
function head(text: string): string {
  const bytes = Buffer.from(text.slice(0, MAX_FIELD_BYTES))
  let end = Math.min(bytes.length, MAX_FIELD_BYTES - 4096)
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

// Formats that no page displays are not parsed: a session may contain anything.
disableTypes([
  ...(['bmp', 'cur', 'dds', 'heif', 'icns', 'ico', 'j2c', 'jp2', 'jxl', 'jxl-stream'] as const),
  ...(['ktx', 'pnm', 'psd', 'svg', 'tga', 'tiff'] as const),
])

/** The size is near the beginning; a JPEG can have a preview of some kilobytes before it. */
const HEAD_CHARS = 512 * 1024
/** EXIF orientations from this one on swap width and height in browsers. */
const FIRST_TURNED = 5

/** How much of a picture is read. */
export const PICTURE_HEAD_BYTES = (HEAD_CHARS / 4) * 3

/**
 * The space that a page reserves for a picture before it is loaded, from its bytes or base64. null: the size is not stated, or it is not a
 * picture.
 */
export function pixelSize(picture: string | Uint8Array): PixelSize | null {
  try {
    const head =
      typeof picture === 'string' ? Buffer.from(picture.slice(0, HEAD_CHARS), 'base64') : Buffer.from(picture)
    const { width, height, orientation = 1 } = imageSize(head)
    if (!(width > 0 && height > 0)) return null
    return orientation >= FIRST_TURNED ? { width: height, height: width } : { width, height }
  } catch {
    return null
  }
}
