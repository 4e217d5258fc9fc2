import { usageQuerySchema } from '@gemini-dash/api'
import { NEVER_LOOKED_FOR } from '@gemini-dash/api/redaction-words'
import { isDamagedSession, type SessionSummary, type TokenUsage } from 'gemini-sessions'
import { withStore } from '../environment/answer-question.ts'
import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { asNotes } from '../environment/open-warnings.ts'
import { ownFolder } from '../environment/own-folder.ts'
import { refuseHome } from '../export/export-name.ts'
import type { Redaction } from '../export/redact-message.ts'
import { machineMark, Partitions, type WrittenTables, writeTables } from '../export/tables.ts'
import { type MachineName, machineName, nameOf, openMachineFile } from '../own-data/machine-name.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import { ownNames } from '../redaction/own-names.ts'
import type { TableRows } from '../store/map-session.ts'
import type { TableTexts } from '../store/reader/make-export.ts'
import { UnreadSession } from '../store/session/unread-session.ts'
import type { Store } from '../store/store.ts'
import { bucketTime, type UsageSource } from '../store/usage/usage-source.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'

/** Number of sessions requested at a time. */
const AT_ONCE = 8
const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/
/** The samples belong to no machine. */
const SAMPLE_MACHINE: MachineName = { id: 'demo', label: null, former: [] }

/** `export --format parquet`: all sessions as four tables, for programs that analyze several machines. */
export async function exportTables(input: CommandInput, signal: AbortSignal): Promise<void> {
  const { flags, terminal } = input
  const out = targetFolder(input)
  const hasTexts = flags.texts === true
  const redaction = hasTexts && flags.redact !== 'off' ? { ...ownNames(), keep: [] } : null
  const machine = await thisMachine(input)
  await withStore(input, [{ command: 'usage', query: usageQuerySchema.parse({}) }], async (store) => {
    const sources = store.tableSources(flags.project)
    if (flags.project !== undefined && sources.length === 0)
      throw new CliError(1, `No project matches "${flags.project}".`, '"gemini-dash projects" lists them.')
    const partitions = new Partitions(hasTexts)
    let [changes, unread] = [0, 0]
    for (let start = 0; start < sources.length; start += AT_ONCE) {
      signal.throwIfAborted()
      terminal.progress(`Reading session ${start + 1} of ${sources.length}`)
      const asked = sources.slice(start, start + AT_ONCE)
      const read = asked.map((source) => readSession(store, source, hasTexts ? { redaction } : null))
      for (const session of await Promise.all(read)) {
        changes += session.texts?.changes ?? 0
        if (session.rows === null) unread += 1
        fillPartitions(partitions, session)
      }
    }
    terminal.clearProgress()
    const target = { out, machine: nameOf(machine), former: machine.former, id: machine.id, signal }
    const written = await writeTables(target, partitions.files(machineMark(machine.id)))
    await tell(written, { input, sessions: sources.length, machine: nameOf(machine) })
    if (redaction !== null)
      terminal.note(
        `Redacted in ${changes} places. "--redact off" leaves all text as it is. ${NEVER_LOOKED_FOR}`,
      )
    else if (hasTexts) terminal.note('Not redacted: text as it was recorded.')
    failForUnread(store.usage(usageQuerySchema.parse({})))
    if (unread > 0)
      throw new CliError(
        3,
        `Messages and calls of ${unread} sessions could not be read.`,
        'Export once more.',
      )
  })
}

function targetFolder({ flags, positionals }: CommandInput): string {
  const others = [
    positionals.length > 0 && 'KEY',
    flags.query !== undefined && '--query',
    flags.depth !== undefined && '--depth',
    flags.force && '--force',
    flags.file !== undefined && '--file',
  ].filter(Boolean)
  if (others.length > 0)
    throw new CliError(
      2,
      `Parquet and ${others.join(', ')} can’t be combined.`,
      'A parquet export contains all sessions, or those of one --project.',
    )
  const { out } = flags
  if (out === undefined || out === '-' || out.toLowerCase().endsWith('.zip'))
    throw new CliError(2, 'A parquet export needs a folder.', 'Set it with --out DIR.')
  refuseHome(out, chooseExistingHomes(flags))
  return out
}

/** The machine's name in the tables, never its host name. @throws CliError if no name can be stored */
async function thisMachine({ flags, terminal }: CommandInput): Promise<MachineName> {
  const label = flags.machine
  if (label !== undefined && !LABEL.test(label))
    throw new CliError(
      2,
      `"${label}" is not a valid machine name.`,
      'Use up to 40 letters, digits, dots, dashes and underscores.',
    )
  if (flags.demo) return { ...SAMPLE_MACHINE, label: label ?? null }
  const folder = await ownFolder('data', flags)
  const list = folder === null ? null : openMachineFile(folder, asNotes(terminal))
  const [known] = list?.read() ?? []
  const isKnown = known !== undefined && (label === undefined || label === known.label)
  if (isKnown) return known
  if (list === null || flags['no-cache'])
    throw new CliError(1, 'The name of this machine cannot be saved.', keptWhere(flags))
  try {
    return machineName(list, label)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(
      1,
      `The name of this machine cannot be saved: ${reason}.`,
      'Choose another folder with --data-dir DIR.',
    )
  }
}

function keptWhere(flags: Flags): string {
  return flags['no-cache']
    ? 'Run the export once without --no-cache.'
    : 'Choose a folder for it with --data-dir DIR.'
}

async function readSession(
  store: Store,
  source: UsageSource,
  words: { redaction: Redaction | null } | null,
): Promise<TableSession> {
  const { key, kind, files } = source.summary
  const isSpent = kind !== 'prompts-only' && !files.every(({ role }) => role === 'damaged')
  try {
    const rows = await store.content.tableRows(key, isSpent)
    const texts = words && (await store.content.exports.tableTexts(key, words.redaction))
    return { source, rows, texts }
  } catch (error) {
    if (!(error instanceof UnreadSession)) throw error
    return { source, rows: null, texts: null }
  }
}

async function tell(
  { written, unchanged, removed }: WrittenTables,
  {
    input: { flags, terminal },
    sessions,
    machine,
  }: { input: CommandInput; sessions: number; machine: string },
): Promise<void> {
  if (flags.json) return terminal.write(jsonLine({ machine, sessions, files: written, unchanged, removed }))
  const gone = removed.length === 0 ? '' : `, ${removed.length} removed`
  terminal.note(
    escapeLine(
      `${sessions} sessions of the machine "${machine}": ${written.length} files written, ${unchanged} unchanged${gone}.`,
    ),
  )
}

/** A session with everything the tables contain about it. */
interface TableSession {
  source: UsageSource
  /** null: its files cannot be read at the moment. */
  rows: TableRows | null
  /** null: only figures are exported. */
  texts: TableTexts | null
}

/** Adds all rows of a session. */
function fillPartitions(partitions: Partitions, { source, rows, texts }: TableSession): void {
  const { summary, owner } = source
  const startMs = milliseconds(summary.startTime)
  const ids = {
    session: summary.key,
    main_session: owner.kind === 'subagent' ? null : owner.key,
    project: summary.project.key,
  }
  partitions.add('sessions', startMs, { ...sessionRow(summary), ...ids, ...sessionTexts(texts) })
  if (summary.kind !== 'prompts-only')
    for (const bucket of source.buckets) {
      const timeMs = bucketTime(bucket, summary)
      const quarter_hour = milliseconds(bucket.quarterHour)
      const { usage, cost, model } = bucket
      partitions.add('spend', timeMs, {
        ...ids,
        quarter_hour,
        model,
        ...spent(usage, cost.usd, cost.unpricedCalls),
      })
    }
  const said = new Map(texts?.messages)
  for (const [position, message] of (rows?.messages ?? []).entries()) {
    const { key, timeMs, type, origin, model, superseded, copyOf, billedIn, calls, usd, unpriced } = message
    partitions.add('messages', timeMs ?? startMs, {
      ...ids,
      ...{ message: key, position, time: timeMs, type, origin, model, superseded },
      ...{ copy_of: copyOf, billed_in: billedIn, tool_calls: calls },
      ...spent(message.spent, usd, unpriced),
      text: said.get(key) ?? null,
    })
  }
  const about = new Map(texts?.calls.map(([key, place, line, paths]) => [`${key} ${place}`, { line, paths }]))
  for (const { messageKey, place, timeMs, name, status, failed, exitCode } of rows?.calls ?? []) {
    const words = about.get(`${messageKey} ${place}`)
    partitions.add('calls', timeMs ?? startMs, {
      ...ids,
      ...{ message: messageKey, place, time: timeMs, tool: name, status, failed, exit_code: exitCode },
      command: words?.line ?? null,
      paths: words === undefined ? null : JSON.stringify(words.paths),
    })
  }
}

function sessionRow(summary: SessionSummary) {
  const { counts, recorded, failures, usage, cost, copiedFrom } = summary
  return {
    session_id: summary.sessionId,
    parent: summary.parentKey,
    kind: summary.kind,
    source: summary.source,
    start_time: milliseconds(summary.startTime),
    end_time: milliseconds(summary.endTime),
    empty: summary.empty,
    damaged: isDamagedSession(summary),
    verdict: summary.verdict?.kind ?? null,
    messages: counts?.messages ?? null,
    prompts: counts?.prompts ?? null,
    tool_calls: recorded?.toolCalls ?? null,
    failed_calls: failures?.tools ?? null,
    refused: failures?.refused ?? null,
    unanswered: failures?.unanswered ?? null,
    ...(usage && spent(usage, cost?.usd ?? null, cost?.unpricedCalls ?? 0)),
    copied_from: copiedFrom?.sessionKey ?? null,
    copied_requests: copiedFrom?.requests ?? null,
  }
}

function sessionTexts(texts: TableTexts | null) {
  if (texts === null) return {}
  const { title, firstPrompt, projectName, projectPath } = texts
  return { title, first_prompt: firstPrompt, project_name: projectName, project_path: projectPath }
}

function spent(usage: TokenUsage, usd: number | null, unpriced: number) {
  const { calls, callsWithoutTokens, input, cached, output, thoughts, tool, total } = usage
  return {
    requests: calls,
    requests_without_tokens: callsWithoutTokens,
    ...{ input, cached, output, thoughts, tool },
    tokens: total,
    cost_usd: usd,
    unpriced,
  }
}

function milliseconds(time: string | null): number | null {
  const timeMs = Date.parse(time ?? '')
  return Number.isNaN(timeMs) ? null : timeMs
}
