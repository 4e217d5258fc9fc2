import { ftruncateSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { InFile, Message } from 'gemini-sessions'
import { TimeSlice } from 'gemini-sessions/node'
import {
  type AntigravityFile,
  type AntigravityIssue,
  type AntigravitySession,
  type Artifact,
  type DatabaseContent,
  type FolderRecords,
  findWorkspace,
  isPlainFolder,
  KNOWN_VERSION,
  listPlainFolder,
  type PlainFile,
  readAnnotatedTitle,
  readArtifacts,
  readConversationDatabase,
  readPlainFile,
} from './conversation-files.ts'
import {
  type DatabaseReading,
  KeptRowsWriter,
  readDatabase,
  type SqliteTables,
  type TableRow,
} from './database/read-database.ts'
import { conversationKey, liftSteps, mergeSteps, type PlacedStep, placeRows } from './lift.ts'
import { readOrigin, readPayload } from './read-content.ts'
import {
  type Call,
  type CallingStep,
  listCalls,
  type NameModel,
  readModelNames,
  toAgyModel,
} from './recorded-step.ts'
import { CONVERSATION_FOLDER } from './scan-conversations.ts'
import {
  joinTranscripts,
  type ParsedTranscript,
  parseTranscript,
  replayRows,
  type TranscriptRow,
} from './transcript.ts'

/** One conversation of a Gemini folder. */
export interface ConversationPlace {
  /** Absolute path of the Gemini folder, `/` on every system. */
  home: string
  /** UUID */
  id: string
  /** The Gemini folder with its database, if that is a different one. */
  databaseHome?: string | undefined
}

/** A folder can have any number of files. */
const MAX_STARTED = 5000
/** The latest time a `Date` can represent. */
const MOST_MS = 8.64e15

/** `moving`: checkpoints interrupted the reading three times. What was known before is still valid; retry later. */
export type ConversationReading = { state: 'read'; session: AntigravitySession } | { state: 'moving' }

/** Everything found of a conversation. */
interface ConversationSources {
  place: { home: string; id: string; databaseHome: string; database: string }
  database: DatabaseReading<DatabaseContent> | { state: 'refused'; code: string }
  transcripts: TranscriptsReading
  /** There is an encrypted file (from before 1.0.4, or a copy left by a fork). */
  isEncrypted: boolean
  /** The source of the messages. */
  basis: 'database' | 'transcript' | 'none'
}

/**
 * Reads one Antigravity CLI conversation: the database, plus the rewound steps from the transcripts; only the transcripts if no database
 * can be read. What cannot be read becomes an issue. Nothing is written, locked or copied.
 * @param records of the same Gemini folder, from `readFolderRecords`
 */
export async function readConversation(
  place: ConversationPlace,
  records: FolderRecords,
): Promise<ConversationReading> {
  const { home, id, databaseHome = home } = place
  const path = `${CONVERSATION_FOLDER}/conversations/${id}.db`
  // Transcripts first: a row written in between is already in the database, so it does not look rewound.
  const transcripts = readTranscripts(home, id)
  const database = await readConversationDatabase(databaseHome, path, id).catch(toRefusal)
  if (database.state === 'moving') return { state: 'moving' }
  const basis = chooseBasis(database, transcripts)
  const isEncrypted = isFile(join(home, `${CONVERSATION_FOLDER}/conversations/${id}.pb`))
  const sources: ConversationSources = {
    place: { home, id, databaseHome, database: path },
    ...{ database, transcripts, isEncrypted, basis },
  }
  return { state: 'read', session: buildSession(sources, records) }
}

function toRefusal(error: unknown): { state: 'refused'; code: string } {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (typeof code !== 'string') throw error
  return { state: 'refused', code }
}

/** A damaged database is worse than a transcript, and better than nothing. */
function chooseBasis(
  database: ConversationSources['database'],
  { rows }: TranscriptsReading,
): ConversationSources['basis'] {
  const content = database.state === 'read' ? database.value : null
  if (content === null || content.steps.length === 0) return rows.length > 0 ? 'transcript' : 'none'
  return content.damage === null || rows.length === 0 ? 'database' : 'transcript'
}

function buildSession(sources: ConversationSources, records: FolderRecords): AntigravitySession {
  const { place, database, transcripts, basis } = sources
  const content = database.state === 'read' ? database.value : null
  const placed = placeSteps(content, transcripts, basis)
  const nameModel = content?.nameModel ?? ((usage) => toAgyModel(usage.modelNumber, '', ''))
  const lifted = liftSteps(placed, nameModel)
  const { messages } = lifted
  const artifacts = readArtifacts(place.home, place.id)
  const times = timesOf(place.id, messages, records)
  const prompt = messages.find(({ origin }) => origin === 'human') ?? null
  const first = prompt && { text: textOf(prompt), time: prompt.timestamp }
  const workspace = content?.workspace ?? findWorkspace(records, place.id, first)
  const key = conversationKey(place.id)
  const files = listFiles(sources)
  return {
    ...{ source: 'antigravity-cli' as const, key, ownKeys: [key], sessionId: place.id, workspace },
    kind: content?.parent ? ('subagent' as const) : ('main' as const),
    parentSessionId: content?.parent ?? null,
    forkedFrom: content?.forkedFrom ?? null,
    startedIds: listStarted(place),
    ...{ sameRunKeys: [], buried: false, drawnKeys: null, resumedKeys: [] },
    ...titleOf(sources, records, placed, first?.text ?? null, artifacts),
    startTime: times[0] ?? null,
    lastUpdated: times.at(-1) ?? null,
    directories: workspace === null ? [] : [workspace],
    ...{ messages, artifacts, files, models: lifted.models },
    segments: [
      {
        ...{ index: 0, reason: 'start' as const, file: files[0]?.path ?? '', firstOffset: 0 },
        ...{ messages: messages.length, startTime: times[0] ?? null, endTime: times.at(-1) ?? null },
      },
    ],
    issues: listIssues(sources, placed, lifted.badUsage),
    drift: [...(content?.unknown ?? [])].map(([name, { index, count }]) => ({
      ...{ name, at: `step ${index}`, count, file: place.database },
    })),
  }
}

/** Sorted. For an unreadable conversation, the times of its typed prompts. */
function timesOf(id: string, messages: readonly Message[], { prompts }: FolderRecords): string[] {
  const own = messages.flatMap(({ timestamp }) => timestamp ?? [])
  if (messages.length > 0) return own.sort()
  return prompts
    .flatMap(({ conversation, timeMs }) => (conversation === id && Number.isFinite(timeMs) ? [timeMs] : []))
    .filter((timeMs) => Math.abs(timeMs) < MOST_MS)
    .map((timeMs) => new Date(timeMs).toISOString())
    .sort()
}

function placeSteps(
  content: DatabaseContent | null,
  { rows }: TranscriptsReading,
  basis: ConversationSources['basis'],
): PlacedStep[] {
  if (basis === 'none') return []
  const replayed = replayRows(rows)
  return basis === 'database'
    ? mergeSteps(content?.steps ?? [], replayed, content?.badRows ?? [])
    : placeRows(replayed)
}

function titleOf(
  { place }: ConversationSources,
  { prompts }: FolderRecords,
  placed: readonly PlacedStep[],
  firstPrompt: string | null,
  artifacts: readonly Artifact[],
): Pick<AntigravitySession, 'title' | 'titleSource'> {
  const annotated = readAnnotatedTitle(place.home, place.id)
  if (annotated !== null) return { title: annotated, titleSource: 'user' }
  const named = placed.flatMap(({ step: { content } }) =>
    content.kind === 'checkpoint' ? content.title : [],
  )
  const title = lineOf(named.find((text) => lineOf(text) !== null))
  if (title !== null) return { title, titleSource: 'summary' }
  const prompt = firstPrompt ?? prompts.find(({ conversation }) => conversation === place.id)?.text
  const words = lineOf(prompt) ?? lineOf(artifacts.find(({ summary }) => lineOf(summary) !== null)?.summary)
  return words === null ? { title: null, titleSource: 'none' } : { title: words, titleSource: 'prompt' }
}

/** Each has a file named by its id in the folder of the conversation that started it. */
function listStarted({ home, id }: ConversationSources['place']): string[] {
  const names = listPlainFolder(
    home,
    `${CONVERSATION_FOLDER}/brain/${id}/.system_generated/subagents`,
    MAX_STARTED,
  )
  return names.flatMap(
    (name) => /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/i.exec(name)?.[1] ?? [],
  )
}

/** The first non-empty line. */
function lineOf(text: string | null | undefined): string | null {
  return text?.trim().split('\n')[0]?.trim() || null
}

function listFiles({ place, database, transcripts, basis }: ConversationSources): AntigravityFile[] {
  const { home } = place
  const sizeBytes = sizeOf(join(place.databaseHome, place.database))
  const files: AntigravityFile[] = []
  if (sizeBytes !== null && database.state !== 'missing') {
    const role = basis === 'database' ? 'current' : 'damaged'
    files.push({ home, path: place.database, sizeBytes, format: 'sqlite', role })
  }
  for (const { path, sizeBytes, problem } of transcripts.files) {
    const isFirst = !files.some(({ role }) => role === 'current')
    const role = problem !== null ? 'damaged' : isFirst ? 'current' : 'twin'
    files.push({ home, path, sizeBytes, format: 'transcript', role })
  }
  return files.sort((a, b) => Number(b.role === 'current') - Number(a.role === 'current'))
}

function sizeOf(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? null
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function textOf({ content }: Message): string {
  return content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}

type Issue = InFile<AntigravityIssue>

/** Everything of a conversation that could not be read. */
function listIssues(
  sources: ConversationSources,
  placed: readonly PlacedStep[],
  badUsage: readonly number[],
): Issue[] {
  const { place, transcripts, basis, isEncrypted } = sources
  const issues = [...ofDatabase(sources), ...transcripts.files.flatMap(ofTranscript)]
  // Beside a readable database it is a copy left by a fork.
  if (isEncrypted && basis !== 'database')
    issues.push({
      code: 'encrypted',
      at: '',
      args: {},
      file: `${CONVERSATION_FOLDER}/conversations/${place.id}.pb`,
    })
  const first = placed[0]?.step
  if (basis === 'transcript' && first !== undefined) {
    const { file } = first.place
    issues.push({ code: 'from-transcript', at: '', args: {}, file })
    if (first.index > 0) issues.push({ code: 'head-missing', at: `step ${first.index}`, args: {}, file })
  }
  const shortened = placed.filter(({ step }) => step.isShortened)
  const [cut] = shortened
  if (cut !== undefined)
    issues.push(counted('shortened', `step ${cut.step.index}`, shortened.length, cut.step.place.file))
  const [bad] = badUsage
  if (bad !== undefined) issues.push(counted('bad-usage', `step ${bad}`, badUsage.length, place.database))
  return issues
}

function ofDatabase({ place, database, isEncrypted }: ConversationSources): Issue[] {
  const file = place.database
  const issue = (code: Issue['code'], at = '', args: Issue['args'] = {}): Issue => ({ code, at, args, file })
  if (database.state === 'refused') return [issue('unreadable', '', { code: database.code })]
  if (database.state === 'odd') return [issue('not-a-file')]
  if (database.state === 'damaged') {
    const { at, message } = database.damage
    return [issue('damaged-database', at, { reason: message })]
  }
  if (database.state !== 'read') return []
  const { userVersion, hasSteps, steps, badRows, damage, damageBeside } = database.value
  if (userVersion > 1) return [issue('newer-format', '', { version: userVersion })]
  const issues: Issue[] = []
  const found = damage ?? damageBeside
  if (found !== null) issues.push(issue('damaged-database', found.at, { reason: found.message }))
  const [bad] = badRows
  if (bad !== undefined) issues.push(counted('bad-row', `step ${bad}`, badRows.length, file))
  const isEmpty = steps.length === 0 && issues.length === 0 && !isEncrypted
  return isEmpty ? [issue('empty-file', '', { tables: Number(hasSteps) })] : issues
}

function ofTranscript({ path: file, sizeBytes, problem, parsed }: TranscriptFile): Issue[] {
  if (problem?.state === 'odd') return [{ code: 'not-a-file', at: '', args: {}, file }]
  if (problem?.state === 'too-large')
    return [{ code: 'too-large', at: '', args: { sizeBytes: problem.sizeBytes }, file }]
  if (problem?.state === 'refused')
    return [{ code: 'unreadable', at: '', args: { code: problem.code }, file }]
  const issues: Issue[] = []
  const [bad] = parsed.badLines
  if (bad !== undefined) issues.push(counted('bad-line', `line ${bad}`, parsed.badLines.length, file))
  if (parsed.hasTornTail) issues.push({ code: 'torn-tail', at: `byte ${sizeBytes}`, args: {}, file })
  return issues
}

function counted(code: Issue['code'], at: string, count: number, file: string): Issue {
  return { code, at, args: {}, file, ...(count > 1 && { count }) }
}

/** A file that was read, with the lines that could not be parsed. */
interface TranscriptFile {
  /** Relative to the Gemini folder. */
  path: string
  sizeBytes: number
  /** Why it was not read: not a regular file, too large, or a system error; null: it was. */
  problem: Exclude<PlainFile, { state: 'read' | 'missing' }> | null
  parsed: Pick<ParsedTranscript, 'badLines' | 'hasTornTail'>
}

/** The transcripts of a conversation, combined. */
interface TranscriptsReading {
  rows: TranscriptRow[]
  files: TranscriptFile[]
}

/** The limit of JavaScript strings; no transcript seen so far exceeds some megabytes. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_CHUNKS = 5000

/**
 * The full and the short transcript joined; each from its chunks if the whole file is missing; the app's overview if there is nothing else.
 */
function readTranscripts(home: string, conversation: string): TranscriptsReading {
  const logs = `${CONVERSATION_FOLDER}/brain/${conversation}/.system_generated/logs`
  const files: TranscriptFile[] = []
  const full = readOne(home, logs, 'transcript_full', false, files)
  const short = readOne(home, logs, 'transcript', true, files)
  if (files.length > 0) return { rows: joinTranscripts(full, short), files }
  return { rows: readPart(home, `${logs}/overview.txt`, true, files) ?? [], files }
}

function readOne(
  home: string,
  logs: string,
  name: string,
  areArgsTexts: boolean,
  files: TranscriptFile[],
): TranscriptRow[] {
  const whole = readPart(home, `${logs}/${name}.jsonl`, areArgsTexts, files)
  if (whole !== null) return whole
  const folder = `${logs}/chunks/${name}`
  const chunks = listPlainFolder(home, folder, MAX_CHUNKS).filter((chunk) => /^\d+\.jsonl$/.test(chunk))
  const parts = chunks.flatMap((chunk) => {
    const file = readPlainFile(home, `${folder}/${chunk}`, MAX_BYTES)
    return file.state === 'read' ? [file.bytes] : []
  })
  // They are split in the middle of lines.
  return parts.length === 0 ? [] : parse(Buffer.concat(parts), folder, areArgsTexts, files)
}

/** null: no such file. */
function readPart(
  home: string,
  path: string,
  areArgsTexts: boolean,
  files: TranscriptFile[],
): TranscriptRow[] | null {
  const file = readPlainFile(home, path, MAX_BYTES)
  if (file.state === 'missing') return null
  if (file.state === 'read') return parse(file.bytes, path, areArgsTexts, files)
  files.push({ path, sizeBytes: 0, problem: file, parsed: { badLines: [], hasTornTail: false } })
  return null
}

function parse(
  bytes: Uint8Array,
  path: string,
  areArgsTexts: boolean,
  files: TranscriptFile[],
): TranscriptRow[] {
  const { rows, ...parsed } = parseTranscript(bytes, path, areArgsTexts)
  files.push({ path, sizeBytes: bytes.length, problem: null, parsed })
  return rows
}

/**
 * Writes what is read from a conversation's database to the caller's open file: its origin, its steps, and for each generation the names of
 * its model without the prompt. The result is read like the database, as of its last commit. 'nothing': the database is missing, damaged or
 * of a later version; the content of the file is then meaningless.
 *
 * @throws system errors
 */
export async function copyRows(
  { home, id }: ConversationPlace,
  descriptor: number,
): Promise<'copied' | 'moving' | 'nothing'> {
  const folder = `${CONVERSATION_FOLDER}/conversations`
  if (!isPlainFolder(home, folder)) return 'nothing'
  const reading: DatabaseReading<boolean> = await readDatabase(join(home, folder, `${id}.db`), (database) =>
    copyTables(database, id, descriptor),
  )
  if (reading.state === 'moving') return 'moving'
  return reading.state === 'read' && reading.value ? 'copied' : 'nothing'
}

/** Returns whether there is anything. */
async function copyTables(database: SqliteTables, id: string, descriptor: number): Promise<boolean> {
  const { userVersion, tables } = database
  const steps = tables.get('steps')
  if (userVersion > KNOWN_VERSION || steps === undefined) return false
  const slice = new TimeSlice()
  const calling: CallingStep[] = []
  for (const row of steps.rows()) {
    if (slice.isOver()) await slice.next()
    const found = callingStep(row)
    if (found !== null) calling.push(found)
  }
  if (calling.length === 0) return false
  const nameModel = readModelNames(database, calling, id)
  const calls = new Map(listCalls(calling, id).map((call) => [call.index, call]))
  ftruncateSync(descriptor)
  const writer = new KeptRowsWriter(descriptor, userVersion)
  for (const table of ['trajectory_metadata_blob', 'parent_references'])
    for (const row of tables.get(table)?.rows() ?? [])
      writer.add({ ...{ table, rowid: row.rowid, values: {} }, blob: blobOf(row, 'data') })
  for (const row of steps.rows()) {
    if (slice.isOver()) await slice.next()
    const values = Object.fromEntries(
      ['step_type', 'status'].flatMap((name) => {
        const value = row.value(name)
        return typeof value === 'number' ? [[name, value]] : []
      }),
    )
    writer.add({ ...{ table: 'steps', rowid: row.rowid, values }, blob: blobOf(row, 'step_payload') })
    const call = calls.get(row.rowid)
    if (call !== undefined) writer.add(generationOf(call, nameModel))
  }
  return true
}

/** The part of a step that identifies its generation; null: the row is not a step. */
function callingStep(row: TableRow): CallingStep | null {
  const [type, status, payload] = ['step_type', 'status', 'step_payload'].map((name) => row.value(name))
  const found = payload instanceof Uint8Array ? readPayload(payload, row.rowid, '') : null
  if (found === null || found.type !== type || found.status !== status) return null
  const { content, record } = found.step
  const call = record && { usage: record.usage, conversation: record.conversation }
  return { index: row.rowid, content: { kind: content.kind }, record: call }
}

function generationOf({ usage, row }: Call, nameModel: NameModel) {
  const { chosen, machine } = nameModel(usage)
  const { modelNumber, responseId } = usage
  const values = { modelNumber, responseId, chosen: chosen ?? '', machine: machine ?? '' }
  return { table: 'gen_metadata', rowid: row, values, blob: null }
}

function blobOf(row: TableRow, column: string): { column: string; bytes: Uint8Array } | null {
  const bytes = row.value(column)
  return bytes instanceof Uint8Array ? { column, bytes } : null
}

/** The folder of a conversation, without reading its steps if there is a database; null: unknown, or it is being written at the moment. */
export async function readWorkspace(
  { home, id, databaseHome = home }: ConversationPlace,
  records: FolderRecords,
): Promise<string | null> {
  const folder = `${CONVERSATION_FOLDER}/conversations`
  const path = join(databaseHome, folder, `${id}.db`)
  const reading = isPlainFolder(databaseHome, folder)
    ? await readDatabase(path, (database) => readOrigin(database, id).workspace).catch(() => null)
    : null
  if (reading?.state === 'read') return reading.value ?? findWorkspace(records, id, null)
  // The text of its first prompt may determine it.
  const whole = await readConversation({ home, id, databaseHome }, records).catch(() => null)
  return whole?.state === 'read' ? whole.session.workspace : null
}
