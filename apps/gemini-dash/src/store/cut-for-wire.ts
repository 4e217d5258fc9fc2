import { apiPaths, MAX_FIELD_BYTES } from '@gemini-dash/api'
import type { Cut, Message, Part, ToolCall, ToolOutput } from 'gemini-sessions'
import { pixelSize } from './pixel-size.ts'

/**
 * A message as a page carries it: no text field over 64 KB and no base64. What was cut or left out is named with
 * its size and the address of the whole. Untouched messages are returned as they are.
 */
export function cutForWire(message: Message, sessionKey: string): Message {
  const rawHref = apiPaths.raw(sessionKey, message.key)
  return {
    ...message,
    content: message.content.map((part, index) =>
      cutPart(part, apiPaths.part(sessionKey, message.key, index)),
    ),
    attachments: message.attachments.map((attachment) => cutText(attachment, rawHref)),
    thoughts: message.thoughts.map((thought) => cutFields(thought, ['subject', 'description'], rawHref)),
    toolCalls: message.toolCalls.map((call) => cutCall(call, sessionKey, rawHref)),
  }
}

function cutCall(call: ToolCall, sessionKey: string, rawHref: string): ToolCall {
  const href = call.id === '' ? rawHref : apiPaths.toolOutput(sessionKey, call.id)
  return {
    ...call,
    ...cutArgs(call.args, rawHref),
    output: cutOutput(call.output, href),
    display: call.display === null ? null : cutOutput(call.display, `${href}?of=display`),
    extraParts: call.extraParts.map((part, index) => cutPart(part, `${href}?of=extra-${index}`)),
  }
}

function cutArgs(args: unknown, href: string): { args: unknown; cut?: Cut } {
  const cut = cutJson(args)
  return cut === args ? { args } : { args: cut, cut: { sizeBytes: jsonBytes(args), href } }
}

function cutPart(part: Part, href: string): Part {
  switch (part.kind) {
    case 'text':
      return cutText(part, href)
    case 'image':
      return cutImage(part, href)
    case 'audio':
    case 'file':
      return part.data === null ? part : { ...part, data: null, href }
    case 'code':
      return cutFields(part, ['code', 'output'], href)
    case 'unknown':
      return cutUnknown(part, href)
  }
}

function cutOutput(output: ToolOutput, href: string): ToolOutput {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return cutText(output, href)
    case 'diff':
      return cutFields(output, ['fileDiff', 'originalContent', 'newContent'], href)
    case 'subagent':
      return cutFields(output, ['result'], href)
    case 'image':
      return cutImage(output, href)
    case 'ansi':
      return cutList(output, 'lines', href)
    case 'search':
      return cutList(output, 'matches', href)
    case 'list':
      return cutList(output, 'files', href)
    case 'unknown':
      return cutUnknown(output, href)
    case 'todos':
    case 'empty':
      return output
  }
}

function cutImage<T extends { data: string | null; href: string | null }>(image: T, href: string): T {
  return image.data === null ? image : { ...image, data: null, href, pixelSize: pixelSize(image.data) }
}

function cutText<T extends { text: string; cut?: Cut | undefined }>(value: T, href: string): T {
  return cutFields(value, ['text'], href)
}

function cutFields<T extends { cut?: Cut | undefined }>(value: T, fields: (keyof T)[], href: string): T {
  let sizeBytes = 0
  let result = value
  for (const field of fields) {
    const text = value[field]
    if (typeof text !== 'string' || !isLong(text)) continue
    sizeBytes += Buffer.byteLength(text)
    result = { ...result, [field]: head(text) }
  }
  return sizeBytes === 0 ? value : { ...result, cut: { sizeBytes, href } }
}

/** Lists of rows are cut between rows, so that what is shown is whole. */
function cutList<K extends string, T extends { cut?: Cut | undefined } & Record<K, unknown[]>>(
  value: T,
  field: K,
  href: string,
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

function cutUnknown<T extends { json?: unknown; cut?: Cut | undefined }>(value: T, href: string): T {
  const json = cutJson(value.json)
  return json === value.json ? value : { ...value, json, cut: { sizeBytes: jsonBytes(value.json), href } }
}

/** Of more fields or items nothing is read on a page; the whole is behind the link. */
const MAX_ENTRIES = 10_000

/** Long strings and long lists inside a JSON value end in a mark that says how much is missing. The same value where none is long. */
function cutJson(value: unknown): unknown {
  if (typeof value === 'string') {
    return isLong(value) ? `${head(value)}… (${Buffer.byteLength(value)} bytes in all)` : value
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
