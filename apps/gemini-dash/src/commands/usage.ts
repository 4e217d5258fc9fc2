import type { BudgetReport, UsageReport, UsageRow } from '@gemini-dash/api'
import { usageQuerySchema } from '@gemini-dash/api'
import { formatColumnCost, formatCount, formatUsd } from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { clockOf } from '../environment/clock-of.ts'
import { readQuery, readSpan } from '../environment/read-query.ts'
import { withAnswer } from '../environment/with-answer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import type { TableColumn } from '../print/print-table.ts'
import { writeTable } from '../print/print-table.ts'
import { usageCsv } from '../store/usage/csv/usage-csv.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'

export const usage: RunCommand = async (input) => {
  const { by, split, tz, project, csv, json, plain } = input.flags
  const forms = [csv && '--csv', json && '--json', plain && '--plain'].filter(Boolean)
  if (forms.length > 1)
    throw new CliError(2, `${forms.join(' and ')} exclude each other.`, 'Leave all but one out.')
  const clock = await clockOf(input.flags)
  const query = readQuery(usageQuerySchema, { by, split, ...readSpan(input.flags, clock()), tz, project })

  await withAnswer(input, { command: 'usage', query }, async ({ report, budgets }) => {
    const { terminal } = input
    if (csv) await terminal.write(usageCsv(report, query))
    else if (json) await terminal.write(jsonLine(withBudgets(report, budgets)))
    else {
      const columns = query.by === 'tool' ? TOOL_COLUMNS : TOKEN_COLUMNS
      const rows = query.by === 'tool' ? report.rows : [...report.rows, totalRow(report)]
      await writeTable(terminal, [labelColumn(query.by), ...columns], rows, plain === true)
      if (!plain) await terminal.write(passedBudgets(budgets))
    }
    failForUnread(report)
  })
}

/** Nothing is said of budgets where none is set. */
function withBudgets(report: UsageReport, budgets: BudgetReport): UsageReport {
  return budgets.budgets.length === 0 ? report : { ...report, budgets }
}

/** A line for each budget that the month has passed, whatever range the table above is of. */
function passedBudgets({ month, budgets }: BudgetReport): string {
  return budgets
    .filter(({ state }) => state === 'passed')
    .map(
      ({ project, usdPerMonth, spent }) =>
        `Budget passed: ${project === null ? 'all projects' : escapeLine(project.name)}, ${month.from.slice(0, 'YYYY-MM'.length)}: ${formatColumnCost(spent)} of ${formatUsd(usdPerMonth)}\n`,
    )
    .join('')
}

function labelColumn(by: string): TableColumn<UsageRow> {
  const text = ({ label }: UsageRow) => (by === 'tool' ? toolLabel(label) : label)
  return { title: by.toUpperCase(), text, isFlexible: true }
}

const CALLS: TableColumn<UsageRow> = {
  title: 'CALLS',
  text: ({ calls }) => formatCount(calls),
  align: 'right',
  leaves: 2,
}
const SESSIONS: TableColumn<UsageRow> = {
  title: 'SESSIONS',
  text: ({ sessions }) => formatCount(sessions),
  align: 'right',
  leaves: 1,
}

const TOKEN_COLUMNS: TableColumn<UsageRow>[] = [
  { title: 'INPUT', text: (row) => formatCount(row.usage?.input), align: 'right', leaves: 5 },
  { title: 'CACHED', text: (row) => formatCount(row.usage?.cached), align: 'right', leaves: 4 },
  { title: 'OUTPUT', text: (row) => formatCount(row.usage?.output), align: 'right', leaves: 6 },
  { title: 'THOUGHTS', text: (row) => formatCount(row.usage?.thoughts), align: 'right', leaves: 3 },
  { title: 'TOTAL', text: (row) => formatCount(row.usage?.total), align: 'right' },
  { title: 'COST', text: ({ cost }) => formatColumnCost(cost), align: 'right' },
  CALLS,
  SESSIONS,
]

const TOOL_COLUMNS: TableColumn<UsageRow>[] = [
  CALLS,
  { title: 'FAILED', text: ({ errors }) => formatCount(errors), align: 'right' },
  {
    title: 'OUTPUT TOKENS (ESTIMATE)',
    text: (row) => formatCount(row.outputTokensEstimate),
    align: 'right',
  },
  {
    title: 'SECONDS (AT MOST)',
    text: ({ maxTimeMs, timedCalls }) => formatCount(timedCalls ? Math.round((maxTimeMs ?? 0) / 1000) : null),
    align: 'right',
  },
  SESSIONS,
]

function totalRow({ total }: UsageReport): UsageRow {
  return { key: '', label: 'total', ...total }
}
