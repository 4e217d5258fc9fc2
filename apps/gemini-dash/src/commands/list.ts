import type { Health, SessionList } from '@gemini-dash/api'
import { sessionQuerySchema } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import {
  formatColumnCost,
  formatColumnTime,
  formatCount,
  formatPlural,
  formatUsage,
} from '@gemini-dash/api/figures'
import type { SessionSummary } from 'gemini-sessions'
import { clockOf } from '../environment/clock-of.ts'
import { readLimit, readQuery, readSpan } from '../environment/read-query.ts'
import { withAnswer } from '../environment/with-answer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import type { TableColumn } from '../print/print-table.ts'
import { writeTable } from '../print/print-table.ts'
import type { RunCommand } from '../terminal/commands.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const list: RunCommand = async (input) => {
  const { flags, terminal } = input
  const { project, kind, model, deleted, tz, sort, cursor } = flags
  const clock = await clockOf(flags)
  const query = readQuery(sessionQuerySchema, {
    project,
    kind,
    // empty ones are found by their kind; programs get all
    empty: flags.json || kind !== undefined ? undefined : 'exclude',
    model,
    deleted,
    ...readSpan(flags, clock()),
    tz,
    sort,
    cursor,
  })
  const rows = readLimit(flags)

  await withAnswer(input, { command: 'list', query, rows }, async ({ list: answer, health }) => {
    if (flags.json) await terminal.write(jsonLine(answer))
    else {
      await print(answer, terminal, { isPlain: flags.plain === true, hidesEmpty: query.empty === 'exclude' })
      tellOfDeletion(answer, health, { terminal, nowMs: clock() })
      if (answer.total === 0) tellOfOthers(health, terminal)
    }
    failForUnread(answer)
  })
}

async function print(
  answer: SessionList,
  terminal: Terminal,
  { isPlain, hidesEmpty }: { isPlain: boolean; hidesEmpty: boolean },
): Promise<void> {
  if (answer.sessions.length > 0) await writeTable(terminal, COLUMNS, answer.sessions, isPlain)
  terminal.note(footer(answer, hidesEmpty))
}

/** Of the sessions that are printed, those that the next start of Gemini CLI deletes. */
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

/** Who finds no session may have them in a program that came after, or lose them in a container. */
function tellOfOthers({ homes, sandboxes }: Health, terminal: Terminal): void {
  for (const { antigravity } of homes) if (antigravity) terminal.note(escapeLine(antigravity.text))
  for (const { text, advice } of sandboxes) terminal.note(escapeLine(`${text} ${advice}`))
}

/** Figures have those of sub-agents in them, as rows are sorted by them. */
const COLUMNS: TableColumn<SessionSummary>[] = [
  { title: 'KEY', text: ({ key }) => key },
  { title: 'LAST ACTIVITY', text: ({ endTime, startTime }) => activityText(endTime ?? startTime), leaves: 5 },
  { title: 'PROJECT', text: ({ project }) => project.name, isFlexible: true, leaves: 4 },
  { title: 'TITLE', text: titleText, isFlexible: true },
  { title: 'MESSAGES', text: ({ counts }) => formatCount(counts?.messages), align: 'right', leaves: 1 },
  { title: 'FAILED', text: failedText, align: 'right', leaves: 2 },
  {
    title: 'TOKENS',
    text: ({ withSubagents }) => formatUsage(withSubagents.usage),
    align: 'right',
    leaves: 3,
  },
  { title: 'COST', text: ({ withSubagents }) => formatColumnCost(withSubagents.cost), align: 'right' },
]

/** What Gemini CLI does not have any more is marked where nothing else says so. */
function titleText({ title, empty, deletedSeen }: SessionSummary): string {
  if (empty && title === '') return '(empty)'
  return deletedSeen === null ? title : `[deleted] ${title}`
}

function activityText(time: string | null): string {
  return time === null ? 'no date' : formatColumnTime(time)
}

function failedText({ withSubagents: { failures } }: SessionSummary): string {
  return formatCount(failures && failures.tools + failures.refused + failures.unanswered)
}

function footer(answer: SessionList, hidesEmpty: boolean): string {
  const { empty } = answer
  const hidden =
    hidesEmpty && empty > 0 ? `${formatPlural(empty, 'empty session')} not shown (--kind empty)` : null
  if (answer.total === 0 && hidden !== null) return `No other sessions; ${hidden}`
  return hidden === null ? countLine(answer) : `${countLine(answer)}; ${hidden}`
}

function countLine({ sessions, total, coverage: { filesDone, filesTotal } }: SessionList): string {
  if (total === 0) return 'No sessions. "gemini-dash doctor" tells where they were looked for.'
  if (filesDone < filesTotal)
    return `The newest ${formatCount(sessions.length)} of about ${formatCount(total)} sessions; ${formatCount(filesDone)} of ${formatCount(filesTotal)} files had to be read for them`
  return sessions.length === total
    ? formatPlural(total, 'session')
    : `${formatCount(sessions.length)} of ${formatCount(total)} sessions`
}
