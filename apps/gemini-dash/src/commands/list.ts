import type { Health, SessionList } from '@gemini-dash/api'
import { sessionQuerySchema } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import type { RunCommand } from '../command-line/commands.ts'
import { failForUnread } from '../command-line/fail-for-unread.ts'
import { readLimit, readQuery } from '../command-line/read-query.ts'
import type { Terminal } from '../command-line/terminal.ts'
import { withAnswer } from '../environment/with-answer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { formatCost, formatCount, formatTime, formatTokens } from '../print/format-figures.ts'
import type { Column } from '../print/print-table.ts'
import { printTable } from '../print/print-table.ts'

export const list: RunCommand = async (input) => {
  const { flags, terminal } = input
  const { project, kind, model, from, to, tz, sort } = flags
  const query = readQuery(sessionQuerySchema, { project, kind, model, from, to, tz, sort })
  const rows = readLimit(flags)

  await withAnswer(input, { command: 'list', query, rows }, async ({ list: answer, health }) => {
    if (flags.json) await terminal.write(`${JSON.stringify(answer)}\n`)
    else {
      await print(answer, terminal)
      if (answer.total === 0) tellOfOthers(health, terminal)
    }
    failForUnread(answer)
  })
}

async function print(answer: SessionList, terminal: Terminal): Promise<void> {
  if (answer.sessions.length > 0) await terminal.write(printTable(COLUMNS, answer.sessions, terminal.columns))
  terminal.note(footer(answer))
}

/** Who finds no session may have them in a program that came after. */
function tellOfOthers({ homes }: Health, terminal: Terminal): void {
  for (const { antigravity } of homes) if (antigravity) terminal.note(escapeLine(antigravity.text))
}

const COLUMNS: Column<SessionSummary>[] = [
  { title: 'KEY', text: ({ key }) => key },
  { title: 'LAST ACTIVITY', text: ({ endTime, startTime }) => activityText(endTime ?? startTime) },
  { title: 'PROJECT', text: ({ project }) => project.name, isFlexible: true },
  { title: 'TITLE', text: ({ title }) => title, isFlexible: true },
  { title: 'MESSAGES', text: ({ counts }) => formatCount(counts?.messages), align: 'right' },
  { title: 'FAILED', text: failedText, align: 'right' },
  // with those of sub-agents, as rows are sorted by them
  { title: 'TOKENS', text: ({ withSubagents }) => formatTokens(withSubagents.usage), align: 'right' },
  { title: 'COST', text: ({ withSubagents }) => formatCost(withSubagents.cost), align: 'right' },
]

function activityText(time: string | null): string {
  return time === null ? 'no time recorded' : formatTime(time)
}

function failedText({ failures }: SessionSummary): string {
  return formatCount(failures && failures.tools + failures.refused + failures.unanswered)
}

function footer({ sessions, total }: SessionList): string {
  if (total === 0) return 'No sessions. "gemini-dash doctor" tells where they were looked for.'
  return sessions.length === total
    ? `${formatCount(total)} sessions`
    : `${formatCount(sessions.length)} of ${formatCount(total)} sessions`
}
