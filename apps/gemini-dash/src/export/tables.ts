import { type FileHandle, lstat, mkdir, open, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { CliError } from '../terminal/cli-error.ts'
import { type FileBeside, writeBeside, writeFailure } from './write-file.ts'

/** The folder name that engines read as NULL. */
const NO_MONTH = '__HIVE_DEFAULT_PARTITION__'
/** Files that a concurrent run may be writing; older ones are left over from a killed run. */
const UNFINISHED = /^\..*\.parquet\.[0-9a-f]{8}\.part$/
const LEFT_OVER_MS = 60 * 60 * 1000

interface TableTarget {
  /** The folder that contains the tables of all machines. */
  out: string
  /** Name of this machine, used in folder names. */
  machine: string
  /** Its earlier names. */
  former: readonly string[]
  /** Random; stored in every file of this machine. */
  id: string
  signal: AbortSignal
}

export interface WrittenTables {
  written: { path: string; sizeBytes: number }[]
  /** Files that already contained the same rows. */
  unchanged: number
  /** Files of this machine that no longer have any rows. */
  removed: string[]
}

/** Stored in each file to identify its machine. */
export function machineMark(id: string): string {
  return `table of machine ${id}`
}

/**
 * Makes the folder contain exactly these files of this machine. Unchanged files are left alone; changed ones are written beside their
 * place, and renamed once all are written.
 *
 * @throws CliError if something else is in the way, or writing fails; then nothing has changed
 */
export async function writeTables(
  target: TableTarget,
  files: Iterable<PartitionFile>,
): Promise<WrittenTables> {
  const there = await ownFiles(target)
  const beside: { path: string; file: FileBeside }[] = []
  const madeFolders: string[] = []
  const kept = new Set<string>()
  let unchanged = 0
  try {
    for (const { table, month, bytes } of files) {
      target.signal.throwIfAborted()
      const path = join(
        machineFolder(target.out, table, month ?? NO_MONTH, target.machine),
        `${table}.parquet`,
      )
      kept.add(path)
      if (there.has(path) && (await readFile(path)).equals(bytes)) {
        unchanged += 1
        continue
      }
      await makeFolder(dirname(path), madeFolders)
      beside.push({ path, file: await writeBeside(path, once(bytes), target.signal) })
    }
    for (const { path, file } of beside) await file.moveTo(path, true)
  } catch (error) {
    for (const { file } of beside) await file.discard()
    // a folder that is not empty stays
    for (const folder of madeFolders.reverse()) await rmdir(folder).catch(() => {})
    throw error
  }
  const removed = [...there].filter((path) => !kept.has(path))
  for (const path of removed) await removeFile(path, target.out)
  return {
    written: beside.map(({ path, file }) => ({ path, sizeBytes: file.sizeBytes })),
    unchanged,
    removed,
  }
}

function machineFolder(out: string, table: TableName, month: string, machine: string): string {
  return join(out, table, `month=${month}`, `machine=${machine}`)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * Paths of the files that this machine wrote, under any of its names. @throws CliError if there is a file that no such export writes:
 * readers of the tables would read it, too
 */
async function ownFiles(target: TableTarget): Promise<Set<string>> {
  const own = new Set<string>()
  await expectFolder(target.out)
  for (const table of TABLE_NAMES) {
    for (const month of await namesIn(join(target.out, table))) {
      const ofMonth = join(target.out, table, month)
      if (!month.startsWith('month=')) throw foreign(ofMonth)
      const machines = await namesIn(ofMonth)
      const odd = machines.find((name) => !name.startsWith('machine='))
      if (odd !== undefined) throw foreign(join(ofMonth, odd))
      for (const name of [target.machine, ...target.former])
        if (machines.includes(`machine=${name}`))
          for (const path of await ownFilesIn(join(ofMonth, `machine=${name}`), table, target)) own.add(path)
    }
  }
  return own
}

async function ownFilesIn(folder: string, table: TableName, { id, machine }: TableTarget): Promise<string[]> {
  const own: string[] = []
  const isCurrent = folder.endsWith(`machine=${machine}`)
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    if (UNFINISHED.test(name)) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
      if (Date.now() - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true })
      continue
    }
    const writer = name === `${table}.parquet` ? await machineOf(path) : null
    if (writer === id) own.push(path)
    else if (isCurrent && writer !== null)
      throw new CliError(
        1,
        `${path} was written by another machine of the same name.`,
        'Give this one another name with --machine.',
      )
    else if (isCurrent) throw foreign(path)
  }
  return own
}

/** Id of the machine that wrote this file, from its last bytes; null: not written by an export. */
async function machineOf(path: string): Promise<string | null> {
  let file: FileHandle | null = null
  try {
    if (!(await lstat(path)).isFile()) return null
    file = await open(path)
    const { size } = await file.stat()
    // the length of the file's metadata, and "PAR1"
    const end = await readAt(file, Math.max(size - 8, 0), 8)
    if (size < 12 || end.toString('latin1', 4) !== 'PAR1') return null
    const length = Math.min(end.readUInt32LE(0), size - 12)
    const footer = (await readAt(file, size - 8 - length, length)).toString('latin1')
    return new RegExp(`${machineMark('')}([\\w.-]+)`).exec(footer)?.[1] ?? null
  } catch (error) {
    throw writeFailure(error, path)
  } finally {
    await file?.close()
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

/** Empty if the folder is missing. @throws CliError if it is not a folder: exports never write through a link */
async function namesIn(folder: string): Promise<string[]> {
  await expectFolder(folder)
  return (await readdir(folder).catch(() => [])).sort()
}

/** A missing path is acceptable: it can become a folder. */
async function expectFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found !== null && !found.isDirectory())
    throw new CliError(1, `${path} is not a folder.`, 'Choose another folder with --out, or move it away.')
}

function foreign(path: string): CliError {
  return new CliError(
    1,
    `${path} is not from this export, but programs that read the tables would read it too.`,
    'Move it away, or choose another folder with --out.',
  )
}

/** Records the folders that had to be created. */
async function makeFolder(path: string, made: string[]): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true })
    if (first === undefined) return
    const folders: string[] = []
    for (let folder = path; folder.length >= first.length; folder = dirname(folder)) folders.unshift(folder)
    made.push(...folders)
  } catch (error) {
    throw writeFailure(error, path)
  }
}

/** Removes folders that become empty, too. */
async function removeFile(path: string, out: string): Promise<void> {
  await rm(path, { force: true })
  for (let folder = dirname(path); folder.length > out.length; folder = dirname(folder))
    await rmdir(folder).catch(() => {})
}

/** How a column is stored. `TIMESTAMP` is milliseconds since 1970 in UTC; text is redacted unless that is switched off. */
type ColumnType = 'BOOLEAN' | 'DOUBLE' | 'INT64' | 'STRING' | 'TIMESTAMP'

export interface ExportedColumn {
  type: ColumnType
  /** Text from a person, a model or the file system: only with `--texts`. */
  isText?: true
  about: string
}

export const TABLE_NAMES = ['sessions', 'messages', 'calls', 'spend'] as const
type TableName = (typeof TABLE_NAMES)[number]

const SESSION = {
  type: 'STRING',
  about: 'key of the session, as in links and commands',
} as const satisfies ExportedColumn
const MAIN_SESSION = {
  type: 'STRING',
  about: 'the session that a person began: itself, or that of a sub-agent; NULL where that is gone',
} as const satisfies ExportedColumn
const PROJECT = {
  type: 'STRING',
  about: 'key of the project, made of a hash of its path',
} as const satisfies ExportedColumn
const SPENT = {
  requests: { type: 'INT64', about: 'requests to the model' },
  requests_without_tokens: { type: 'INT64', about: 'of these, without recorded tokens' },
  input: { type: 'INT64', about: 'tokens, cached ones included' },
  cached: { type: 'INT64', about: 'cached tokens of the input' },
  output: { type: 'INT64', about: 'tokens' },
  thoughts: { type: 'INT64', about: 'tokens' },
  tool: { type: 'INT64', about: 'tokens of tool use prompts' },
  tokens: { type: 'INT64', about: 'all kinds together, as the API counts them' },
  cost_usd: { type: 'DOUBLE', about: 'of requests with a known price; NULL where there are none' },
  unpriced: { type: 'INT64', about: 'requests without a known price' },
} as const satisfies Record<string, ExportedColumn>

/** All columns, in order. Month and machine are encoded in the folder names. */
export const TABLES = {
  sessions: {
    session: SESSION,
    session_id: { type: 'STRING', about: 'as the program that recorded it calls it' },
    main_session: MAIN_SESSION,
    parent: { type: 'STRING', about: 'of a sub-agent: the session that started it' },
    kind: { type: 'STRING', about: '`main`, `subagent` or `prompts-only`' },
    source: { type: 'STRING', about: '`gemini-cli` or `antigravity-cli`' },
    project: PROJECT,
    start_time: { type: 'TIMESTAMP', about: 'its month is that of the folder' },
    end_time: { type: 'TIMESTAMP', about: 'of the last message' },
    empty: { type: 'BOOLEAN', about: 'nothing was said in it' },
    damaged: { type: 'BOOLEAN', about: 'none of its files is whole' },
    verdict: {
      type: 'STRING',
      about: 'how it ended, in one word: `finished`, `stillFailing`, `stopped`, ...',
    },
    messages: { type: 'INT64', about: 'all that were recorded' },
    prompts: { type: 'INT64', about: 'in Gemini CLI’s current conversation' },
    tool_calls: { type: 'INT64', about: 'ever recorded' },
    failed_calls: { type: 'INT64', about: 'of these' },
    refused: { type: 'INT64', about: 'requests that the API refused' },
    unanswered: { type: 'INT64', about: 'prompts without an answer' },
    ...SPENT,
    copied_from: { type: 'STRING', about: 'the session that counts requests which this one has, too' },
    copied_requests: { type: 'INT64', about: 'how many' },
    title: { type: 'STRING', isText: true, about: '' },
    first_prompt: { type: 'STRING', isText: true, about: 'cut' },
    project_name: { type: 'STRING', isText: true, about: 'the end of its path, or the name that you gave' },
    project_path: { type: 'STRING', isText: true, about: '' },
  },
  messages: {
    session: SESSION,
    main_session: MAIN_SESSION,
    project: PROJECT,
    message: { type: 'STRING', about: 'its key in the session' },
    position: { type: 'INT64', about: 'in the session, from 0' },
    time: { type: 'TIMESTAMP', about: 'NULL where none is recorded: its folder is that of the session' },
    type: { type: 'STRING', about: 'as recorded: `user`, `gemini`, `info`, `error`, `warning`, `unknown`' },
    origin: { type: 'STRING', about: 'who made it: `human`, `model`, `tool-result`, `injected`, `cli`' },
    model: { type: 'STRING', about: '' },
    superseded: { type: 'STRING', about: '`rewound`, `compacted`, `aborted`, `replaced`; NULL: it is live' },
    copy_of: { type: 'STRING', about: 'the message that it repeats; it spent nothing' },
    billed_in: { type: 'STRING', about: 'the session that counts this request; it spent nothing here' },
    tool_calls: { type: 'INT64', about: 'that count' },
    ...SPENT,
    text: { type: 'STRING', isText: true, about: 'what a person, the model or Gemini CLI said, whole' },
  },
  calls: {
    session: SESSION,
    main_session: MAIN_SESSION,
    project: PROJECT,
    message: { type: 'STRING', about: 'messages.message' },
    place: { type: 'INT64', about: 'among the calls of that message, from 0' },
    time: { type: 'TIMESTAMP', about: 'of the call, else of the message' },
    tool: { type: 'STRING', about: 'name of the tool' },
    status: { type: 'STRING', about: 'as recorded' },
    failed: { type: 'BOOLEAN', about: '' },
    exit_code: { type: 'INT64', about: 'of a command' },
    command: {
      type: 'STRING',
      isText: true,
      about: 'the command, or what else says in a line what it was about',
    },
    paths: { type: 'STRING', isText: true, about: 'files that it touched, as a JSON list' },
  },
  spend: {
    session: SESSION,
    main_session: MAIN_SESSION,
    project: PROJECT,
    quarter_hour: { type: 'TIMESTAMP', about: 'its start; NULL where nothing has a time' },
    model: { type: 'STRING', about: '' },
    ...SPENT,
  },
} as const satisfies Record<TableName, Record<string, ExportedColumn>>

/** A row of a table by column: numbers, and times in milliseconds. Missing values are NULL. */
type ExportedRow<Name extends TableName> = {
  [Column in keyof (typeof TABLES)[Name]]?: ValueOf<(typeof TABLES)[Name][Column]>
}

type ValueOf<Column> = Column extends { type: 'STRING' }
  ? string | null
  : Column extends { type: 'BOOLEAN' }
    ? boolean | null
    : number | null

/** The columns to write, by name. */
export function columnsOf(table: TableName, hasTexts: boolean): [name: string, column: ExportedColumn][] {
  return Object.entries<ExportedColumn>(TABLES[table]).filter(([, { isText }]) => hasTexts || isText !== true)
}

/** A file with the rows of one table, one month and one machine. */
interface PartitionFile {
  table: TableName
  /** `2026-11`; null for rows without a time. */
  month: string | null
  bytes: Uint8Array
}

type Value = string | number | boolean | null

/** Collects rows by table and month until all are complete. */
export class Partitions {
  readonly #hasTexts: boolean
  /** By month: the values of each column. */
  readonly #tables = new Map(TABLE_NAMES.map((name) => [name, new Map<string | null, Value[][]>()]))

  constructor(hasTexts: boolean) {
    this.#hasTexts = hasTexts
  }

  /** `timeMs` determines the month; null or an invalid time: none. */
  add<Name extends TableName>(table: Name, timeMs: number | null, row: ExportedRow<Name>): void {
    const columns = columnsOf(table, this.#hasTexts)
    const months = this.#tables.get(table)
    const month = monthOf(timeMs)
    const values = months?.get(month) ?? columns.map(() => [])
    months?.set(month, values)
    const said = row as Record<string, Value | undefined>
    for (const [place, [name]] of columns.entries()) values[place]?.push(said[name] ?? null)
  }

  /** Equal rows give equal bytes. `mark` is stored in each file and identifies the writer. */
  *files(mark: string): Generator<PartitionFile> {
    for (const [table, months] of this.#tables) {
      const columns = columnsOf(table, this.#hasTexts)
      for (const [month, values] of months) {
        const columnData = columns.map(([name, { type }], place) => ({
          name,
          type,
          nullable: true,
          data: (values[place] ?? []).map((value) => stored(value, type)),
        }))
        const kvMetadata = [{ key: 'gemini-dash', value: mark }]
        const bytes = new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata, createdBy: 'gemini-dash' }))
        yield { table, month, bytes }
      }
    }
  }
}

/** In UTC, as documented and used in folder names. */
function monthOf(timeMs: number | null): string | null {
  const time = new Date(timeMs ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, -'-DDTHH:MM:SS.sssZ'.length)
}

function stored(value: Value, type: ExportedColumn['type']): Value | bigint | Date {
  if (value === null) return null
  if (type === 'INT64') return BigInt(Math.round(Number(value)))
  return type === 'TIMESTAMP' ? new Date(Number(value)) : value
}
