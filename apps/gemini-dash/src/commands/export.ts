import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  exportQuerySchema,
  isRedactedByDefault,
  searchQuerySchema,
  sessionQuerySchema,
} from '@gemini-dash/api'
import { NEVER_LOOKED_FOR } from '@gemini-dash/api/redaction-words'
import type { SessionSummary } from 'gemini-sessions'
import { readQuery, withStore } from '../environment/answer-question.ts'
import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { refuseHome, zipPieces } from '../export/export-name.ts'
import { refuseExisting, writeFileWhole } from '../export/write-file.ts'
import { jsonLine } from '../print/json-line.ts'
import { ownNames } from '../redaction/own-names.ts'
import { type CommandQuestion, sessionsToExport } from '../store/command-question.ts'
import {
  type ExportedFile,
  type ExportHow,
  exportedFiles,
  type Redacted,
} from '../store/session/exported-files.ts'
import type { ExportForm } from '../store/session/session-content.ts'
import type { Store } from '../store/store.ts'
import { ownZone } from '../store/times.ts'
import { CliError, type Terminal } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'
import { VERSION } from '../terminal/terminal.ts'
import { chosenSession } from './show.ts'

const STOPPED = 'Stopped. Incomplete files were removed.'

/** `export`: writes sessions to files, or one of them to stdout. */
export const exportSessions: RunCommand = async (input) => {
  const { flags, terminal } = input
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new CliError(1, STOPPED)))
  if (flags.format === 'parquet') return (await import('./export-tables.ts')).exportTables(input, stop.signal)
  refuseOfTables(flags)
  const out = flags.out === undefined || flags.out === '-' ? null : flags.out
  const how = { ...readHow(flags), isBesideAllowed: out !== null }
  if (out === null && flags.json)
    throw new CliError(
      2,
      '--json lists the files that were written.',
      'Set --out, or use --format json to export as JSON.',
    )
  if (out !== null) refuseHome(out, chooseExistingHomes(flags))

  await withChosenSessions(input, how, async (store, sessions) => {
    const redacted: Redacted = { changes: 0, leftOut: 0 }
    const files = exportedFiles(store.content, sessions, how, redacted)
    const filesOf = ({ key }: SessionSummary) => files.get(key) ?? []
    const run = { sessions, filesOf, signal: stop.signal, terminal }
    if (out === null) await toStdout(run)
    else await tell(await toFiles(run, out, flags.force === true), input)
    tellRedaction(how, redacted, terminal)
  })
}

interface ExportRun {
  sessions: readonly SessionSummary[]
  filesOf: (session: SessionSummary) => ExportedFile[]
  signal: AbortSignal
  terminal: Terminal
}

interface WrittenFile {
  sessionKey: string | null
  path: string
  sizeBytes: number
}

function refuseOfTables({ texts, machine }: Flags): void {
  if (texts || machine !== undefined)
    throw new CliError(
      2,
      '--texts and --machine are for --format parquet.',
      'Remove them, or use that format.',
    )
}

function readHow(flags: Flags): Omit<ExportHow, 'isBesideAllowed'> {
  const { format, depth, redact } = flags
  const query = readQuery(exportQuerySchema, { format, depth, redact })
  const isRedacted = query.redact === undefined ? isRedactedByDefault(query.format) : query.redact === 'on'
  if (query.format === 'raw' && isRedacted)
    throw new CliError(2, 'Original files can’t be redacted.', 'Use another format, or --redact off.')
  const redaction = isRedacted ? { ...ownNames(), keep: [] } : null
  return { format: query.format, depth: query.depth, redaction, version: VERSION, zone: ownZone() }
}

async function toStdout({ sessions, filesOf, signal, terminal }: ExportRun): Promise<void> {
  const files = sessions.flatMap(filesOf)
  const [file] = files
  if (file === undefined || files.length > 1)
    throw new CliError(
      2,
      `The export has ${files.length} files, but stdout takes only one.`,
      'Set --out to a folder or a zip (--out sessions.zip).',
    )
  for await (const piece of file.pieces()) {
    signal.throwIfAborted()
    await terminal.write(piece)
  }
}

async function toFiles(run: ExportRun, out: string, isForced: boolean): Promise<WrittenFile[]> {
  const { sessions, filesOf, signal } = run
  const isFolder = await stat(out).then(
    (stats) => stats.isDirectory(),
    () => /[\\/]$/.test(out),
  )
  if (!isFolder && out.toLowerCase().endsWith('.zip')) {
    await refuseExisting(out, isForced)
    const sizeBytes = await writeFileWhole(out, zipPieces(zipEntries(run)), { isForced, signal })
    return [{ sessionKey: null, path: out, sizeBytes }]
  }
  const planned = sessions.flatMap((session) =>
    filesOf(session).map((file) => ({ file, sessionKey: session.key, path: join(out, file.name) })),
  )
  const [only] = planned
  const targets = only !== undefined && planned.length === 1 && !isFolder ? [{ ...only, path: out }] : planned
  for (const { path } of targets) await refuseExisting(path, isForced)
  const written: WrittenFile[] = []
  for (const [place, { file, sessionKey, path }] of targets.entries()) {
    if (targets.length > 1) run.terminal.progress(`Writing ${place + 1} of ${targets.length}: ${file.name}`)
    if (path !== out) await makeFolder(dirname(path))
    const pieces = counted(file.pieces(), run, file.name)
    written.push({ sessionKey, path, sizeBytes: await writeFileWhole(path, pieces, { isForced, signal }) })
    for await (const { name, pieces } of file.beside()) {
      const beside = join(path === out ? dirname(out) : out, name)
      await makeFolder(dirname(beside))
      const sizeBytes = await writeFileWhole(beside, pieces(), { isForced, signal })
      written.push({ sessionKey, path: beside, sizeBytes })
    }
  }
  return written
}

async function* zipEntries({ sessions, filesOf, terminal }: ExportRun): AsyncGenerator<ExportedFile> {
  for (const [place, session] of sessions.entries()) {
    for (const file of filesOf(session)) {
      yield {
        ...file,
        pieces: () => {
          terminal.progress(`Writing ${place + 1} of ${sessions.length}: ${file.name}`)
          return file.pieces()
        },
      }
      yield* file.beside()
    }
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(1, `The folder ${path} could not be created (${error.code}).`)
  })
}

const TOLD_BYTES = 5_000_000

/** Shows the progress of a large export. */
async function* counted(
  pieces: ReturnType<ExportedFile['pieces']>,
  { terminal }: ExportRun,
  name: string,
): AsyncGenerator<string | Uint8Array> {
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > TOLD_BYTES) terminal.progress(`Writing ${name}: ${Math.round(length / 1e6)} MB`)
    yield piece
  }
}

async function tell(files: WrittenFile[], { flags, terminal }: CommandInput): Promise<void> {
  terminal.clearProgress()
  if (flags.json) return terminal.write(jsonLine({ files }))
  for (const { path } of files.slice(0, 20)) terminal.note(path)
  if (files.length > 20) terminal.note(`and ${files.length - 20} more files`)
}

function tellRedaction(
  { format, redaction }: ExportHow,
  { changes, leftOut }: Redacted,
  terminal: Terminal,
): void {
  terminal.clearProgress()
  if (redaction === null) terminal.note(`Not redacted: ${format} as it was recorded.`)
  else {
    const left =
      leftOut === 0
        ? ''
        : ` ${leftOut} pictures, files and texts that can’t be checked are exported by name only.`
    if (changes + leftOut > 0)
      terminal.note(`Redacted in ${changes} places.${left} "--redact off" leaves everything as it is.`)
    terminal.note(NEVER_LOOKED_FOR)
  }
}

const MOST_HITS = 1000

/** Opens the store and passes on the sessions selected by keys, `--project` and `--query`, each once. */
async function withChosenSessions(
  input: CommandInput,
  form: ExportForm,
  use: (store: Store, sessions: SessionSummary[]) => Promise<void>,
): Promise<void> {
  const { positionals, flags } = input
  const { project, query } = flags
  const filter = project !== undefined && positionals.length === 0 && query === undefined ? project : null
  if (positionals.length === 0 && filter === null && query === undefined) {
    throw new CliError(2, 'Which sessions?', 'Name them by KEY, by --project or by --query.')
  }
  const search =
    query === undefined ? null : readQuery(searchQuerySchema, { q: query, limit: MOST_HITS, project })
  const list = readQuery(sessionQuerySchema, { kind: 'all', project })
  const questions: CommandQuestion[] = [
    ...positionals.map((keyOrId) => ({ command: 'show' as const, keyOrId, project })),
    ...(filter === null ? [] : [{ command: 'list' as const, query: list, rows: null }]),
    ...(search === null ? [] : [{ command: 'search' as const, query: search }]),
  ]
  await withStore(input, questions, async (store) => {
    const keys = positionals.map((keyOrId) => chosenSession(keyOrId, store.resolve(keyOrId)))
    const sessions = await sessionsToExport(store, { keys, project: filter, search, form }, project)
    const found = new Set(sessions.map(({ key }) => key))
    const missing = positionals.find((_, place) => !found.has(keys[place] ?? ''))
    if (missing !== undefined)
      throw new CliError(1, `There is no session "${missing}" in a project "${project}".`)
    if (sessions.length === 0)
      throw new CliError(
        1,
        'No session matches.',
        'Find sessions with gemini-dash list or gemini-dash search.',
      )
    await use(store, sessions)
  })
}
