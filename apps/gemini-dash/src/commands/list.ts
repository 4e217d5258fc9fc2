import type { Health, SessionList } from '@gemini-dash/api'
import { sessionQuerySchema } from '@gemini-dash/api'
import { areToolsRecorded } from '@gemini-dash/api/are-tools-recorded'
import { dueWords } from '@gemini-dash/api/due-words'
import {
  formatColumnCost,
  formatColumnDay,
  formatColumnMoment,
  formatColumnTime,
  formatCost,
  formatCount,
  formatPlural,
  formatUsage,
} from '@gemini-dash/api/figures'
import { sessionName } from '@gemini-dash/api/session-name'
import { addedFrom } from '@gemini-dash/api/source-names'
import type { SessionSummary } from 'gemini-sessions'
import {
  readLimit,
  readQuery,
  readSpan,
  withAnswer,
  withCheckedCursor,
} from '../environment/answer-question.ts'
import { clockOf } from '../environment/open-store.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import type { Tone } from '../print/paint.ts'
import { plainTable, type TableColumn, writeTable } from '../print/print-table.ts'
import { isListCursor } from '../store/list.ts'
import type { Terminal } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'

export const list: RunCommand = async (input) => {
  const { flags, terminal } = input
  const { project, kind, model, tool, source, deleted, tz, sort, cursor } = flags
  const clock = await clockOf(flags)
  const query = readQuery(withCheckedCursor(sessionQuerySchema, isListCursor), {
    project,
    // everything that was opened is listed, saved chats included
    kind: kind ?? (flags.file === undefined ? undefined : 'all'),
    // empty sessions are selected by their kind; programs get all
    empty: flags.json || kind !== undefined ? undefined : 'exclude',
    model,
    tool,
    source,
    attachments: flags.attachments ? 'true' : undefined,
    deleted,
    ...readSpan(flags, clock()),
    tz,
    sort,
    cursor,
  })
  const rows = readLimit(flags)

  await withAnswer(
    input,
    { command: 'list', query, rows },
    async ({ list: answer, health, shortKeys, others, unknownProject }) => {
      if (flags.json) await terminal.write(jsonLine(answer))
      else if (flags.plain) await terminal.write(plainTable(PLAIN_COLUMNS, answer.sessions))
      else {
        const keyOf =
          terminal.columns === null ? ({ key }: Row) => key : ({ key }: Row) => shortKeys[key] ?? key
        const hidden =
          answer.sessions.length === 0
            ? []
            : await writeTable(terminal, readColumns(keyOf, clock()), answer.sessions)
        terminal.note(footer(answer, { hidesEmpty: query.empty === 'exclude', hidden }))
        for (const { kind, total } of others)
          terminal.note(
            `${formatPlural(total, OTHERS[kind].one, OTHERS[kind].many)}: gemini-dash list --kind ${kind}`,
          )
        tellOfDeletion(answer, health, { terminal, nowMs: clock() })
        if (answer.total === 0) {
          if (unknownProject !== null) terminal.note(escapeLine(unknownProject))
          tellOfOthers(health, terminal)
        }
      }
      failForUnread(answer)
    },
  )
}

const OTHERS = {
  checkpoint: { one: 'saved chat', many: 'saved chats' },
  'prompts-only': { one: 'session with prompts only', many: 'sessions with prompts only' },
} as const

/** Reports which of the printed sessions the next start of Gemini CLI will delete. */
function tellOfDeletion(
  { sessions }: SessionList,
  { cli }: Health,
  { terminal, nowMs }: { terminal: Terminal; nowMs: number },
): void {
  const due = sessions.filter(
    ({ deletedAfter, empty }) => !empty && deletedAfter !== null && Date.parse(deletedAfter) <= nowMs,
  )
  const { before, after } = dueWords(cli.byRules)
  if (due.length > 0)
    terminal.note(
      escapeLine(
        `${before}${formatCount(due.length)} of these sessions${after} on its next start. Why: gemini-dash doctor`,
      ),
    )
}

/** If no sessions are found, they may be in a successor program, or lost with a container. */
function tellOfOthers({ homes, sandboxes }: Health, terminal: Terminal): void {
  for (const { antigravity } of homes) if (antigravity) terminal.note(escapeLine(antigravity.text))
  for (const { text, advice } of sandboxes) terminal.note(escapeLine(`${text} ${advice}`))
}

type Row = SessionSummary

const PROJECT: TableColumn<Row> = { title: 'PROJECT', text: ({ project }) => project.name }
const TITLE: TableColumn<Row> = { title: 'TITLE', text: titleText }
// figures include sub-agents, since rows are sorted by them
const TOKENS: TableColumn<Row> = {
  title: 'TOKENS',
  text: ({ withSubagents }) => formatUsage(withSubagents.usage),
  align: 'right',
}

const PLAIN_COLUMNS: readonly TableColumn<Row>[] = [
  { title: 'KEY', text: ({ key }) => key },
  { title: 'LAST ACTIVITY', text: (row) => activityText(row, formatColumnTime) },
  PROJECT,
  TITLE,
  { title: 'MESSAGES', text: ({ counts }) => formatCount(counts?.messages) },
  { title: 'FAILED', text: (row) => formatCount(failuresOf(row)) },
  TOKENS,
  { title: 'COST', text: ({ withSubagents }) => formatColumnCost(withSubagents.cost) },
]

/** The title first: it is what people look for, and it is never cut below 32 columns. */
function readColumns(keyOf: (row: Row) => string, nowMs: number): TableColumn<Row>[] {
  return [
    { ...TITLE, narrowsTo: 32 },
    { ...PROJECT, narrowsTo: 10, leaves: 3 },
    {
      title: 'TOOL CALLS',
      text: (session) => formatCount(areToolsRecorded(session) ? session.withSubagents.toolCalls : null),
      align: 'right',
      leaves: 1,
    },
    {
      title: 'FAILED',
      text: (row) => (failuresOf(row) === 0 ? '' : formatCount(failuresOf(row))),
      align: 'right',
      tone: failedTone,
      leaves: 4,
    },
    { ...TOKENS, leaves: 2 },
    {
      title: 'COST',
      text: ({ withSubagents }) => formatCost(withSubagents.cost),
      align: 'right',
      leaves: 6,
    },
    {
      title: 'LAST ACTIVITY',
      text: (row) => activityText(row, (time) => formatColumnMoment(time, nowMs)),
      short: { title: 'LAST', text: (row) => activityText(row, (time) => formatColumnDay(time, nowMs)) },
      align: 'right',
      leaves: 5,
    },
    { title: 'KEY', text: keyOf },
  ]
}

/** Red: a command still fails; amber: one was never run again. */
function failedTone({ verdict }: Row): Tone | null {
  if (verdict?.kind === 'stillFailing') return 'red'
  return verdict?.kind === 'neverRerun' ? 'amber' : null
}

/** Marks sessions that Gemini CLI no longer has, unless another column already shows it. */
function titleText(session: SessionSummary): string {
  const { title, empty, deletedSeen, files } = session
  if (empty && title === '') return '(empty)'
  const word = addedFrom({ files }) === null ? 'deleted' : 'added'
  return deletedSeen === null ? sessionName(session) : `[${word}] ${sessionName(session)}`
}

function activityText({ endTime, startTime }: Row, write: (time: string) => string): string {
  const time = endTime ?? startTime
  return time === null ? 'no date' : write(time)
}

function failuresOf({ withSubagents: { failures } }: Row): number | null {
  return failures && failures.tools + failures.refused + failures.unanswered
}

function footer(answer: SessionList, options: { hidesEmpty: boolean; hidden: readonly string[] }): string {
  const { empty } = answer
  const emptyText =
    options.hidesEmpty && empty > 0
      ? `${formatPlural(empty, 'empty session')} not shown (--kind empty)`
      : null
  if (answer.total === 0 && emptyText !== null) return `No other sessions; ${emptyText}`
  const line = emptyText === null ? countLine(answer) : `${countLine(answer)}; ${emptyText}`
  const { sessions, total } = answer
  const more = sessions.length < total && sessions.length > 0 ? [`More: -n ${total}.`] : []
  const hidden = options.hidden.length > 0 ? [`Hidden columns: ${options.hidden.join(', ')}.`] : []
  return more.length + hidden.length === 0 ? line : [`${line}.`, ...more, ...hidden].join(' ')
}

function countLine({ sessions, total, coverage: { filesDone, filesTotal } }: SessionList): string {
  if (total === 0) return 'No sessions. "gemini-dash doctor" shows the scanned folders.'
  if (filesDone < filesTotal)
    return `The newest ${formatCount(sessions.length)} of about ${formatCount(total)} sessions; ${formatCount(filesDone)} of ${formatCount(filesTotal)} files had to be read for them`
  return sessions.length === total
    ? formatPlural(total, 'session')
    : `${formatCount(sessions.length)} of ${formatPlural(total, 'session')}`
}
