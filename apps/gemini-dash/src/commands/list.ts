import type { Health, SessionList } from '@gemini-dash/api'
import { sessionQuerySchema } from '@gemini-dash/api'
import { formatColumnCost, formatColumnTime, formatCount, formatUsage } from '@gemini-dash/api/figures'
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
      await print(answer, terminal, flags.plain === true)
      if (answer.total === 0) tellOfOthers(health, terminal)
    }
    failForUnread(answer)
  })
}

async function print(answer: SessionList, terminal: Terminal, isPlain: boolean): Promise<void> {
  if (answer.sessions.length > 0) await writeTable(terminal, COLUMNS, answer.sessions, isPlain)
  terminal.note(footer(answer))
}

/** Who finds no session may have them in a program that came after. */
function tellOfOthers({ homes }: Health, terminal: Terminal): void {
  for (const { antigravity } of homes) if (antigravity) terminal.note(escapeLine(antigravity.text))
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
function titleText({ title, deletedSeen }: SessionSummary): string {
  return deletedSeen === null ? title : `[deleted] ${title}`
}

function activityText(time: string | null): string {
  return time === null ? 'no date' : formatColumnTime(time)
}

function failedText({ withSubagents: { failures } }: SessionSummary): string {
  return formatCount(failures && failures.tools + failures.refused + failures.unanswered)
}

function footer({ sessions, total, coverage: { filesDone, filesTotal } }: SessionList): string {
  if (total === 0) return 'No sessions. "gemini-dash doctor" tells where they were looked for.'
  if (filesDone < filesTotal)
    return `The newest ${formatCount(sessions.length)} of about ${formatCount(total)} sessions; ${formatCount(filesDone)} of ${formatCount(filesTotal)} files had to be read for them`
  return sessions.length === total
    ? `${formatCount(total)} sessions`
    : `${formatCount(sessions.length)} of ${formatCount(total)} sessions`
}
