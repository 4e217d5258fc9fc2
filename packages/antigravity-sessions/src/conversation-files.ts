import { closeSync, fstatSync, lstatSync, opendirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { InFile, Session } from 'gemini-sessions'
import { TimeSlice } from 'gemini-sessions/node'
import { fileSource } from './database/byte-source.ts'
import {
  type DatabaseReading,
  PLAIN_FLAGS,
  readDatabase,
  type SqliteTables,
} from './database/read-database.ts'
import { DatabaseDamage } from './database/table-tree.ts'
import { type ConversationOrigin, readOrigin, readSteps, type StepsReading } from './read-content.ts'
import { type AgyModel, type NameModel, readModelNames, toAgyModel } from './recorded-step.ts'
import { CONVERSATION_FOLDER } from './scan-conversations.ts'

const MAX_BYTES = 16 * 1024 * 1024
const FILES = ['history.jsonl', 'cache/last_conversations.json']

/** One typed prompt, of any conversation. */
export interface TypedPrompt {
  text: string
  /** Milliseconds since 1970. */
  timeMs: number
  workspace: string
  /** null: the first prompt of a conversation has none yet. */
  conversation: string | null
}

/** What the files beside the conversations record about them. */
export interface FolderRecords {
  prompts: readonly TypedPrompt[]
  /** The newest conversation of each folder, by id. */
  lastFolders: ReadonlyMap<string, string>
}

/** The last result, by Gemini folder. */
const lastRead = new Map<string, { stamp: string; records: FolderRecords }>()

/** Like `readFolderRecords`, cached until the files change. */
export function folderRecords(home: string): FolderRecords {
  const stamp = FILES.map((name) => stampOf(join(home, CONVERSATION_FOLDER, name))).join()
  const known = lastRead.get(home)
  if (known?.stamp === stamp) return known.records
  const records = readFolderRecords(home)
  lastRead.set(home, { stamp, records })
  return records
}

function stampOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.size} ${stats.mtimeNs} ${stats.ino}`
}

/** Reads `history.jsonl` and `cache/last_conversations.json`, if they exist. */
export function readFolderRecords(home: string): FolderRecords {
  const history = readPlainText(home, `${CONVERSATION_FOLDER}/${FILES[0]}`, MAX_BYTES)
  const last = parse(readPlainText(home, `${CONVERSATION_FOLDER}/${FILES[1]}`, MAX_BYTES))
  const folders = isObject(last) ? Object.entries(last) : []
  return {
    prompts: history.split('\n').flatMap((line) => toPrompt(parse(line))),
    lastFolders: new Map(folders.flatMap(([folder, id]) => (typeof id === 'string' ? [[id, folder]] : []))),
  }
}

function toPrompt(row: unknown): TypedPrompt[] {
  if (!isObject(row) || typeof row.display !== 'string' || row.type === 'slash_command') return []
  const { display: text, timestamp, workspace, conversationId } = row
  return [
    {
      text,
      timeMs: typeof timestamp === 'number' ? timestamp : Number.NaN,
      workspace: typeof workspace === 'string' ? workspace : '',
      conversation: typeof conversationId === 'string' && conversationId !== '' ? conversationId : null,
    },
  ]
}

const NEAR_MS = 60_000

/**
 * The folder of a conversation whose database names none: from its newest typed prompt, else the list of newest conversations, else a first
 * prompt with the same text within a minute. null if unknown.
 */
export function findWorkspace(
  { prompts, lastFolders }: FolderRecords,
  conversation: string,
  first: { text: string; time: string | null } | null,
): string | null {
  const own = prompts.findLast((prompt) => prompt.conversation === conversation && prompt.workspace !== '')
  const known = own?.workspace ?? lastFolders.get(conversation)
  if (known !== undefined) return known
  const timeMs = Date.parse(first?.time ?? '')
  const same = prompts.find(
    (prompt) =>
      prompt.conversation === null &&
      prompt.workspace !== '' &&
      prompt.text.trim() === first?.text.trim() &&
      Math.abs(prompt.timeMs - timeMs) <= NEAR_MS,
  )
  return same?.workspace ?? null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Result of reading a file. `refused`: system error code (EACCES, EIO, ...). */
export type PlainFile =
  | { state: 'read'; bytes: Uint8Array }
  | { state: 'missing' }
  /** A folder, link, pipe or device, or behind a link. */
  | { state: 'odd' }
  | { state: 'too-large'; sizeBytes: number }
  | { state: 'refused'; code: string }

/**
 * Reads a regular file of a Gemini folder. `path`: relative to it, with `/`. No folder on the path may be a link: it could leave the Gemini
 * folder.
 */
export function readPlainFile(home: string, path: string, maxBytes: number): PlainFile {
  const folders = path.split('/').slice(0, -1)
  if (!isPlainFolder(home, folders.join('/'))) return { state: 'missing' }
  let descriptor: number
  try {
    descriptor = openSync(join(home, path), PLAIN_FLAGS)
  } catch (error) {
    return toFailure(error)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { state: 'odd' }
    if (stats.size > maxBytes) return { state: 'too-large', sizeBytes: stats.size }
    const source = fileSource(descriptor)
    const bytes = Buffer.allocUnsafeSlow(source.sizeBytes)
    return { state: 'read', bytes: bytes.subarray(0, source.read(bytes, 0)) }
  } catch (error) {
    return toFailure(error)
  } finally {
    closeSync(descriptor)
  }
}

/** Its text, or '' if it cannot be read. */
function readPlainText(home: string, path: string, maxBytes: number): string {
  const file = readPlainFile(home, path, maxBytes)
  return file.state === 'read' ? Buffer.from(file.bytes).toString('utf8') : ''
}

/** Names in a subfolder of a Gemini folder, not recursive, sorted; at most `max`. */
export function listPlainFolder(home: string, path: string, max: number): string[] {
  if (!isPlainFolder(home, path)) return []
  const names: string[] = []
  try {
    const folder = opendirSync(join(home, path))
    try {
      for (let entry = folder.readSync(); entry !== null && names.length < max; entry = folder.readSync())
        if (entry.isFile()) names.push(entry.name)
    } finally {
      folder.closeSync()
    }
  } catch {
    return []
  }
  return names.sort()
}

/** Whether the folder exists, without links on the path. */
export function isPlainFolder(home: string, path: string): boolean {
  const steps = path.split('/').filter((step) => step !== '')
  return steps.every((_, index) => {
    try {
      return lstatSync(join(home, ...steps.slice(0, index + 1))).isDirectory()
    } catch {
      return false
    }
  })
}

const ODD = new Set(['ELOOP', 'ENXIO', 'EISDIR'])

function toFailure(error: unknown): PlainFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'missing' }
  return ODD.has(code) ? { state: 'odd' } : { state: 'refused', code }
}

/** What could not be read of a conversation. */
export type AntigravityIssueCode =
  | 'newer-format' // a database of a later version (`user_version` above 1): the transcripts are used instead
  | 'damaged-database' // its pages or rows are inconsistent
  | 'encrypted' // a conversation before 1.0.4
  | 'from-transcript' // no database could be read: it may be incomplete
  | 'head-missing' // the transcript begins after step 0
  | 'shortened' // texts found only in the short transcript, which were cut when written
  | 'bad-usage' // contradictory token counts: they are left out
  | 'bad-row' // rows of the database that are not steps
  | 'bad-line' // lines of a transcript that are not rows
  | 'torn-tail' // the last line of a transcript is incomplete
  | 'not-a-file' // a folder, link, pipe or device instead of a file
  | 'too-large' // beyond the size limit
  | 'unreadable' // a system error
  | 'empty-file' // a database that was created and never written

/** An issue as data, like a `ParseIssue`. */
export interface AntigravityIssue {
  code: AntigravityIssueCode
  /** `step 12`, `line 3`, `page 7`; '' for the whole file. */
  at: string
  args: Record<string, string | number>
  /** Number of such issues. */
  count?: number
}

/** A type of step, or a field of one, that no known version writes. */
export interface StepDrift {
  name: string
  at: string
  count: number
}

/** One file of a conversation. */
export interface AntigravityFile {
  home: string
  /** Relative to the Gemini folder; for chunks, their folder. */
  path: string
  sizeBytes: number
  format: 'sqlite' | 'transcript'
  role: 'current' | 'twin' | 'damaged'
}

/** A conversation in the model of `gemini-sessions`, with the specifics of this source. */
export interface AntigravitySession
  extends Omit<Session, 'fileKeys' | 'files' | 'issues' | 'drift' | 'projectHash' | 'summary'> {
  source: 'antigravity-cli'
  title: string | null
  titleSource: 'user' | 'summary' | 'prompt' | 'none'
  /** Absolute path of its folder, as recorded. */
  workspace: string | null
  /** Id of the conversation it was forked from. */
  forkedFrom: string | null
  /** Ids of the conversations it started as sub-agents (1.2+), from the names of other files. */
  startedIds: string[]
  /** The models of its messages, by `Message.model`. */
  models: ReadonlyMap<string, AgyModel>
  artifacts: Artifact[]
  files: AntigravityFile[]
  issues: InFile<AntigravityIssue>[]
  drift: InFile<StepDrift>[]
}

/** A text written by the agent for the user, in its current state: a plan, a task list, a walkthrough. */
export interface Artifact {
  name: string
  /** Relative to the Gemini folder. */
  path: string
  text: string
  /** `ARTIFACT_TYPE_TASK`, ...; null in newer versions. */
  type: string | null
  summary: string | null
  /** As stored. */
  updatedAt: string | null
}

const MAX_ARTIFACT_BYTES = 4 * 1024 * 1024
/** A folder can have a million files. */
const MAX_NAMES = 5000

/** The Markdown files in `brain/<id>/`, not recursive. Skips images and `scratch/`. */
export function readArtifacts(home: string, conversation: string): Artifact[] {
  const folder = `${CONVERSATION_FOLDER}/brain/${conversation}`
  const names = listPlainFolder(home, folder, MAX_NAMES).filter((name) => name.endsWith('.md'))
  return names.flatMap((name) => {
    const path = `${folder}/${name}`
    const file = readPlainFile(home, path, MAX_ARTIFACT_BYTES)
    if (file.state !== 'read') return []
    const about = parseMetadata(readPlainText(home, `${path}.metadata.json`, MAX_ARTIFACT_BYTES))
    const text = Buffer.from(file.bytes).toString('utf8')
    const [type, summary, updatedAt] = ['artifactType', 'summary', 'updatedAt'].map((key) => about(key))
    return [{ name, path, text, type: type ?? null, summary: summary ?? null, updatedAt: updatedAt ?? null }]
  })
}

function parseMetadata(json: string): (key: string) => string | null {
  let value: unknown = null
  try {
    value = JSON.parse(json)
  } catch {
    // Half-written or missing: the file itself is still complete.
  }
  return (key) => {
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : null
    return typeof text === 'string' ? text : null
  }
}

const MAX_ANNOTATION_BYTES = 65_536
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/**
 * The title in `annotations/<id>.pbtxt`, in protobuf text format: generated at the beginning (1.1.21+), or set by `/rename`. null: none.
 */
export function readAnnotatedTitle(home: string, conversation: string): string | null {
  const text = readPlainText(
    home,
    `${CONVERSATION_FOLDER}/annotations/${conversation}.pbtxt`,
    MAX_ANNOTATION_BYTES,
  )
  const quoted = /(?:^|[\s,;{])title\s*:\s*"((?:[^"\\]|\\.)*)"/s.exec(text)?.[1]
  if (quoted === undefined) return null
  return unquote(quoted).split('\n')[0]?.trim() || null
}

/** Non-ASCII bytes are octal escapes there. */
function unquote(quoted: string): string {
  const bytes: Buffer[] = []
  for (const [part, octal, hex, single] of quoted.matchAll(
    /\\([0-7]{1,3})|\\x([0-9a-fA-F]{1,2})|\\(.)|[^\\]+/gs,
  )) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]))
    else if (hex !== undefined) bytes.push(Buffer.from([Number.parseInt(hex, 16)]))
    else bytes.push(Buffer.from(single === undefined ? part : (ESCAPES[single] ?? single)))
  }
  return Buffer.concat(bytes).toString('utf8')
}

/** Contents of a database, as far as readable. */
export interface DatabaseContent extends StepsReading, ConversationOrigin {
  userVersion: number
  /** There is no steps table: nothing was written yet, or a later version has a different one. */
  hasSteps: boolean
  nameModel: NameModel
  /** What stopped the reading of the steps early; null: nothing did. */
  damage: DatabaseDamage | null
  /** The same for other tables: names of models, and the origin of the conversation. */
  damageBeside: DatabaseDamage | null
}

/** The version of all databases so far, 1.0.4 to 1.3. */
export const KNOWN_VERSION = 1

/** @param path relative to the Gemini folder. @throws system errors */
export async function readConversationDatabase(
  home: string,
  path: string,
  conversation: string,
): Promise<DatabaseReading<DatabaseContent>> {
  if (!isPlainFolder(home, path.split('/').slice(0, -1).join('/'))) return { state: 'missing' }
  return readDatabase(join(home, path), (tables) => readContentOf(tables, path, conversation))
}

async function readContentOf(
  database: SqliteTables,
  path: string,
  conversation: string,
): Promise<DatabaseContent> {
  const { userVersion, tables } = database
  const content: DatabaseContent = {
    ...{ userVersion, hasSteps: tables.has('steps'), damage: null, damageBeside: null },
    ...{ steps: [], badRows: [], unknown: new Map() },
    ...{ workspace: null, parent: null, forkedFrom: null },
    nameModel: (usage) => toAgyModel(usage.modelNumber, '', ''),
  }
  if (userVersion > KNOWN_VERSION || !content.hasSteps) return content
  const slice = new TimeSlice()
  const pause = () => (slice.isOver() ? slice.next() : null)
  // What was read before the damage is still valid.
  content.damage = await damageOf(() => readSteps(database, path, content, pause))
  const origin = await damageOf(() => Object.assign(content, readOrigin(database, conversation)))
  const names = await damageOf(() => {
    content.nameModel = readModelNames(database, content.steps, conversation)
  })
  content.damageBeside = origin ?? names
  return content
}

async function damageOf(read: () => unknown): Promise<DatabaseDamage | null> {
  try {
    await read()
    return null
  } catch (error) {
    if (error instanceof DatabaseDamage) return error
    throw error
  }
}
