import type { FileKind } from '../../model/file-kind.ts'
import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { completeJson } from '../json/complete-json.ts'
import { decodeFile } from '../json/file-encoding.ts'

/** Lines of a log that are examined: text of a terminal may be before the first record. */
const MOST_LINES = 40

/** What a file is that is no session, by its first KB. */
export function recognizeFile(head: Uint8Array): FileKind {
  if (head.length > 0 && head.every((byte) => byte === 0)) return 'zeros'
  const kind = SIGNATURES.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))?.kind
  return kind ?? recognizeText(decodeFile(head))
}

const SIGNATURES: readonly { kind: FileKind; bytes: readonly number[] }[] = [
  { kind: 'compressed', bytes: [0x1f, 0x8b] },
  { kind: 'compressed', bytes: [...ascii('PK'), 3, 4] },
  { kind: 'compressed', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { kind: 'compressed', bytes: [0xfd, ...ascii('7zXZ'), 0] },
  { kind: 'compressed', bytes: [...ascii('7z'), 0xbc, 0xaf, 0x27, 0x1c] },
  { kind: 'compressed', bytes: ascii('BZh') },
  { kind: 'database', bytes: [...ascii('SQLite format 3'), 0] },
  { kind: 'binary', bytes: ascii('%PDF-') },
]

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0))
}

/** The same of the first KB of a text. */
export function recognizeText(text: string): FileKind {
  const trimmed = text.replaceAll('\0', '').trim()
  if (trimmed.startsWith('version https://git-lfs.github.com/spec/')) return 'git-lfs-pointer'
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<(!doctype|html|head|body)\b/i.test(trimmed)) return 'html'
  const values = valuesOf(trimmed)
  for (const value of values) {
    const kind = isRawObject(value) ? kindOfObject(value) : kindOfList(value)
    if (kind !== null) return kind
  }
  return kindOfOthers(trimmed, values)
}

/** What nothing more is known of. */
function kindOfOthers(text: string, values: readonly unknown[]): FileKind {
  if (/^\/[/*]/.test(text)) return 'commented-json'
  if (isBinary(text)) return 'binary'
  if (isScalar(text)) return 'json-value'
  const [first] = values
  if (Array.isArray(first)) return 'json-list'
  if (values.length > 1) return 'json-lines'
  if (first !== undefined) return 'json-object'
  return /^(---\n|#{1,3} |\*\*)/.test(text.replaceAll('\r', '')) ? 'markdown' : 'text'
}

/** Control characters that no text has, or bytes that are no UTF-8. */
function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells
  const odd = text.match(/[\u0001-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0
  return odd > text.length / 20
}

function isScalar(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value !== 'object' || value === null
  } catch {
    return false
  }
}

/** The lists and objects of JSON at the beginning of a text: one a line or, where the first line is none, the first one, as far as it is there. */
function valuesOf(text: string): unknown[] {
  const rows = text
    .split('\n')
    .slice(0, MOST_LINES)
    .map((line) => (/^\s*\{.*\}\s*$/.test(line) ? parse(line) : undefined))
  const first = rows[0] === undefined && /^[{[]/.test(text) ? completeJson(text) : undefined
  return first === undefined ? rows.filter((row) => row !== undefined) : [first]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function kindOfList(value: unknown): FileKind | null {
  const first: unknown = Array.isArray(value) ? value.find(isRawObject) : undefined
  if (!isRawObject(first)) return null
  return kindOfObject(first)
}

/** One rule a kind, in an order in which the first that fits is right. */
const RULES: readonly [FileKind, (value: RawObject) => boolean][] = [
  [
    'restore-point',
    ({ clientHistory, commitHash, toolCall, history }) =>
      Array.isArray(history) &&
      (Array.isArray(clientHistory) || commitHash !== undefined || isRawObject(toolCall)),
  ],
  ['saved-chat', ({ history }) => isListOf(history, isTurn)],
  ['saved-chat', isTurn],
  ['gemini-dash-export', ({ schemaVersion, session }) => schemaVersion !== undefined && isRawObject(session)],
  ['conversation-record', (value) => isRawObject(value['recording-agent']) && isRawObject(value.session)],
  [
    'activity-log',
    ({ type, payload }) => (type === 'console' || type === 'network') && payload !== undefined,
  ],
  ['stream-json', isStreamEvent],
  [
    'json-output',
    ({ response, stats, error }) => isRawObject(stats) && (response !== undefined || error !== undefined),
  ],
  ['telemetry', isTelemetry],
  [
    'codex',
    ({ type, payload, record_type }) =>
      (typeof type === 'string' && CODEX_TYPES.has(type) && isRawObject(payload)) || record_type === 'state',
  ],
  [
    'codex',
    ({ instructions, git, id }) => instructions !== undefined && git !== undefined && id !== undefined,
  ],
  [
    'qwen-code',
    ({ uuid, parentUuid, message }) =>
      (uuid !== undefined || parentUuid !== undefined) &&
      isRawObject(message) &&
      Array.isArray(message.parts),
  ],
  [
    'claude-code',
    (value) => CLAUDE_FIELDS.some((name) => name in value) || CLAUDE_TYPES.has(String(value.type)),
  ],
  ['prompt-log', isTyped],
  ['prompt-log', (value) => Object.values(value).some((list) => isListOf(list, isTyped))],
  ['chat-of-another-tool', isChatRow],
  ['chat-of-another-tool', ({ messages }) => isListOf(messages, isChatRow)],
  [
    'chat-of-another-tool',
    ({ chunkedPrompt, mapping }) => isRawObject(chunkedPrompt) || isRawObject(mapping),
  ],
]

const CODEX_TYPES: ReadonlySet<string> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])
const CLAUDE_FIELDS = ['uuid', 'parentUuid', 'leafUuid', 'isSidechain']
const CLAUDE_TYPES: ReadonlySet<string> = new Set(['file-history-snapshot', 'queue-operation'])

function kindOfObject(value: RawObject): FileKind | null {
  return RULES.find(([, fits]) => fits(value))?.[0] ?? null
}

function isListOf(list: unknown, fits: (row: RawObject) => boolean): boolean {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  return isRawObject(first) && fits(first)
}

/** A turn of the Gemini API. */
function isTurn({ role, parts }: RawObject): boolean {
  return typeof role === 'string' && (Array.isArray(parts) || typeof parts === 'string')
}

/** Another one than a message of a session, which has a type or an id. */
function isChatRow({ role, content, type, id }: RawObject): boolean {
  return typeof role === 'string' && content !== undefined && type === undefined && id === undefined
}

function isTyped({ sessionId, message, messageId }: RawObject): boolean {
  return typeof sessionId === 'string' && typeof message === 'string' && messageId !== undefined
}

function isStreamEvent({
  type,
  session_id,
  role,
  content,
  tool_name,
  tool_id,
  stats,
  status,
  id,
}: RawObject): boolean {
  if (id !== undefined) return false
  if (type === 'init') return typeof session_id === 'string'
  if (type === 'message') return typeof role === 'string' && typeof content === 'string'
  if (type === 'tool_use') return tool_name !== undefined
  if (type === 'tool_result') return tool_id !== undefined
  return type === 'result' && isRawObject(stats) && status !== undefined
}

function isTelemetry(value: RawObject): boolean {
  const { attributes, resource, scopeMetrics } = value
  if (Array.isArray(scopeMetrics)) return true
  if (['resourceSpans', 'resourceLogs', 'resourceMetrics'].some((name) => Array.isArray(value[name])))
    return true
  if (typeof value.event_name === 'string' && value.event_name.startsWith('gemini_cli.')) return true
  const isNamed = isRawObject(attributes) && ('event.name' in attributes || 'session.id' in attributes)
  return (
    isNamed || (isRawObject(resource) && (isRawObject(attributes) || 'hrTime' in value || 'traceId' in value))
  )
}
