import type { FileKind } from '../model/file-kind.ts'
import {
  type DriftNote,
  type DriftPlace,
  OTHER_NAMES,
  type ParseIssue,
  type ParseIssueCode,
} from '../model/issue.ts'
import { isRawObject, type RawObject } from '../raw.ts'
import { completeJson } from './json/complete-json.ts'
import { decodeFile } from './json/encoding.ts'

/** Per code and file; the rest are counted. A damaged file can have a million bad lines. */
const MAX_ISSUES_PER_CODE = 100
/** Different names per file; the rest are counted together. */
const MAX_DRIFT_NAMES = 100

/** Collects what could not be read in one file, and names that no known version writes. Bounded, whatever the file contains. */
export class Problems {
  readonly issues: ParseIssue[] = []
  readonly drift: DriftNote[] = []
  readonly #issueCounts = new Map<ParseIssueCode, number>()
  readonly #notes = new Map<string, DriftNote>()

  copy(): Problems {
    const problems = new Problems()
    problems.addAll(this)
    return problems
  }

  addAll(others: Problems): void {
    for (const { code, at, args, count } of others.issues) {
      if (count === undefined) this.addIssue(code, at, args)
      else this.#countIssue(code, count)
    }
    for (const { where, name, at, count } of others.drift) this.#countDrift(where, name, at, count)
  }

  addIssue(code: ParseIssueCode, at: string, args: ParseIssue['args'] = {}): void {
    const count = (this.#issueCounts.get(code) ?? 0) + 1
    this.#issueCounts.set(code, count)
    if (count <= MAX_ISSUES_PER_CODE) this.issues.push({ code, at, args })
    else this.#countIssue(code, 1)
  }

  /** Each name is noted at its first place, and counted. */
  addDrift(where: DriftPlace, name: string, at: string): void {
    this.#countDrift(where, printableName(name), at, 1)
  }

  addUnknownNames(where: DriftPlace, row: object, known: ReadonlySet<string>, at: string): void {
    for (const name in row) if (!known.has(name)) this.addDrift(where, name, at)
  }

  #countIssue(code: ParseIssueCode, count: number): void {
    const others = this.issues.find((issue) => issue.code === code && issue.count !== undefined)
    if (others) others.count = (others.count ?? 0) + count
    else this.issues.push({ code, at: '', args: {}, count })
  }

  #countDrift(where: DriftPlace, name: string, at: string, count: number): void {
    const note = this.#notes.get(`${where}\n${name}`)
    if (note) note.count += count
    else if (this.#notes.size < MAX_DRIFT_NAMES || name === OTHER_NAMES) {
      const added = { where, name, at, count }
      this.#notes.set(`${where}\n${name}`, added)
      this.drift.push(added)
    } else this.#countDrift(where, OTHER_NAMES, at, count)
  }
}

/** Enough to recognize any name a program would choose. */
const MAX_CHARACTERS = 64
const PLAIN = /^[ -~]{1,64}$/
/** Characters that a terminal or page would interpret, or not show: controls, bidirectional marks, surrogates, private use. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** A name from a file for storage and display: cut, and with `\u{7}` for unprintable characters. */
export function printableName(name: string): string {
  if (PLAIN.test(name)) return name
  if (name === '') return '(empty)'
  const characters = [...name.slice(0, 2 * MAX_CHARACTERS + 1)]
  const shown = characters.slice(0, MAX_CHARACTERS).map(escapeCharacter).join('')
  return characters.length > MAX_CHARACTERS ? `${shown}…` : shown
}

function escapeCharacter(character: string): string {
  return UNPRINTABLE.test(character) ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character
}

/** Deeper JSON is kept as text: recursive code downstream would overflow its stack. */
const MAX_DEPTH = 200
/** The same for values with more fields: processing each of half a million fields takes minutes. */
const MAX_VALUES = 50_000

/** The value itself or, if it is nested too deeply or has too many fields, its JSON text. */
export function guardDepth(value: unknown, at: string, problems: Problems): unknown {
  if (isDeeperThan(value, MAX_DEPTH)) {
    problems.addIssue('too-deep', at, { maxDepth: MAX_DEPTH })
    return toDeepJsonText(value)
  }
  if (countValues(value, MAX_VALUES) <= MAX_VALUES) return value
  const text = JSON.stringify(value)
  problems.addIssue('too-large', at, { sizeBytes: text.length })
  return text
}

/** For a value that is not deep; counts only a little beyond `limit`. */
function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const child of Object.values(value)) {
    if (count > limit) break
    count += countValues(child, limit - count)
  }
  return count
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const child of Object.values(value)) if (isDeeperThan(child, depth - 1)) return true
  return false
}

/** `JSON.stringify` without recursion: the built-in one overflows at some thousand levels. */
function toDeepJsonText(root: unknown): string {
  const text: string[] = []
  const open: OpenValue[] = []
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) text.push(JSON.stringify(value))
    else {
      const isList = Array.isArray(value)
      text.push(isList ? '[' : '{')
      open.push({ entries: Object.entries(value), next: 0, isList })
    }
  }
  add(root)
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const entry = last.entries[last.next]
    if (entry === undefined) {
      text.push(last.isList ? ']' : '}')
      open.pop()
      continue
    }
    if (last.next > 0) text.push(',')
    if (!last.isList) text.push(JSON.stringify(entry[0]), ':')
    last.next += 1
    add(entry[1])
  }
  return text.join('')
}

interface OpenValue {
  entries: [name: string, value: unknown][]
  next: number
  isList: boolean
}

/** Lines of a log to examine: terminal text may precede the first record. */
const MOST_LINES = 40

/** The type of a file that is not a session, from its first KB. */
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

/** The same for the first KB of a text. */
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

/** For content of no specific type. */
function kindOfOthers(text: string, values: readonly unknown[]): FileKind {
  if (/^\/[/*]/.test(text)) return 'commented-json'
  if (isBinary(text)) return 'binary'
  const [first] = values
  if (first === undefined && isScalar(text)) return 'json-value'
  if (Array.isArray(first)) return 'json-list'
  if (values.length > 1) return 'json-lines'
  if (first !== undefined) return 'json-object'
  return /^(---\n|#{1,3} |\*\*)/.test(text.replaceAll('\r', '')) ? 'markdown' : 'text'
}

/** Control characters that texts do not have, or invalid UTF-8. */
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

/**
 * The JSON lists and objects at the beginning of a text: one per line or, if the first line is not one, the first one, as far as available.
 */
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

/** One rule per type; the first match in this order is correct. */
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

/** Other than a message of a session, which has a type or an id. */
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
