import {
  type BudgetReport,
  type UsageReport,
  type UsageRow,
  usageQuerySchema,
  usageWhyQuerySchema,
} from '@gemini-dash/api'
import {
  formatColumnCost,
  formatCost,
  formatCount,
  formatTokens,
  formatUsage,
  formatUsd,
} from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { readQuery, readSpan, withAnswer } from '../environment/answer-question.ts'
import { clockOf } from '../environment/open-store.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import { printUsageTotal, printUsageWhy } from '../print/print-cost.ts'
import { plainTable, type TableColumn, writeTable } from '../print/print-table.ts'
import { usageCsv } from '../store/usage/usage-csv.ts'
import { CliError, type Terminal } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'

export const usage: RunCommand = async (input) => {
  const { by, split, tz, project, csv, json, plain, why } = input.flags
  if (why) return usageWhy(input)
  const forms = [csv && '--csv', json && '--json', plain && '--plain'].filter(Boolean)
  if (forms.length > 1)
    throw new CliError(2, `${forms.join(' and ')} can’t be combined.`, 'Use only one of them.')
  if (by === undefined && split === undefined && forms.length === 0) return usageSummary(input)
  const clock = await clockOf(input.flags)
  const query = readQuery(usageQuerySchema, { by, split, ...readSpan(input.flags, clock()), tz, project })

  await withAnswer(input, { command: 'usage', query }, async ({ report, budgets, unknownProject }) => {
    const { terminal } = input
    const rows = query.by === 'tool' ? report.rows : [...report.rows, totalRow(report)]
    if (csv) await terminal.write(usageCsv(report, query))
    else if (json) await terminal.write(jsonLine(withBudgets(report, budgets)))
    else if (plain) await terminal.write(plainTable(plainColumns(query.by), rows))
    else {
      const hidden = await writeTable(terminal, readColumns(query.by), rows)
      if (hidden.length > 0) terminal.note(`Hidden columns: ${hidden.join(', ')}.`)
      await terminal.write(passedBudgets(budgets))
      tellOfPrices(report, terminal)
      if (unknownProject !== null) terminal.note(escapeLine(unknownProject))
    }
    failForUnread(report)
  })
}

/** How much, why, and for what; a flag prints the full table instead. */
async function usageSummary(input: CommandInput): Promise<void> {
  const { flags, terminal } = input
  const clock = await clockOf(flags)
  const query = readQuery(usageWhyQuerySchema, {
    ...readSpan(flags, clock()),
    tz: flags.tz,
    project: flags.project,
  })
  await withAnswer(
    input,
    { command: 'usage-summary', query },
    async ({ report, why, budgets, unknownProject }) => {
      await terminal.write(
        `${printUsageTotal(report, clock())}\n\n${printUsageWhy(why, terminal)}${passedBudgets(budgets)}`,
      )
      terminal.note('Tables: gemini-dash usage --by day, week, month, model, project, tool or session')
      tellOfPrices(report, terminal)
      if (unknownProject !== null) terminal.note(escapeLine(unknownProject))
      failForUnread(report)
    },
  )
}

async function usageWhy(input: CommandInput): Promise<void> {
  const { flags, terminal } = input
  const { by, split, csv, plain, project, tz, json } = flags
  const others = [by && '--by', split && '--split', csv && '--csv', plain && '--plain'].filter(Boolean)
  if (others.length > 0)
    throw new CliError(2, `--why and ${others.join(', ')} can’t be combined.`, 'Use only one of them.')
  const clock = await clockOf(flags)
  const query = readQuery(usageWhyQuerySchema, { ...readSpan(flags, clock()), tz, project })
  await withAnswer(input, { command: 'usage-why', query }, async (why) => {
    await terminal.write(json ? jsonLine(why) : printUsageWhy(why, terminal))
    failForUnread(why)
  })
}

/** Not if prices are switched off or nothing has one. */
function tellOfPrices({ total }: UsageReport, terminal: Terminal): void {
  if (total.cost.usd !== null)
    terminal.note(
      'Costs are list prices. With a plan, or with billing.vertexAi.sharedRequestType set to priority, your bill differs.',
    )
}

/** Budgets are left out if none is set. */
function withBudgets(report: UsageReport, budgets: BudgetReport): UsageReport {
  return budgets.budgets.length === 0 ? report : { ...report, budgets }
}

/** One line for each budget exceeded this month, whatever the range of the table. */
function passedBudgets({ month, budgets }: BudgetReport): string {
  return budgets
    .filter(({ state }) => state === 'passed')
    .map(
      ({ project, usdPerMonth, spent }) =>
        `Over budget: ${project === null ? 'all projects' : escapeLine(project.name)}, ${month.from.slice(0, 'YYYY-MM'.length)}: ${formatColumnCost(spent)} of ${formatUsd(usdPerMonth)}\n`,
    )
    .join('')
}

type Column = TableColumn<UsageRow>

function column(title: string, text: Column['text'], more: Partial<Column> = {}): Column {
  return { title, text, align: 'right', ...more }
}

function labelColumn(by: string): Column {
  const text = ({ label }: UsageRow) => (by === 'tool' ? toolLabel(label) : label)
  return { title: by.toUpperCase(), text, narrowsTo: 20 }
}

const CALLS = column('CALLS', ({ calls }) => formatCount(calls))
const SESSIONS = column('SESSIONS', ({ sessions }) => formatCount(sessions))
const TOOL_COLUMNS: readonly Column[] = [
  CALLS,
  column('FAILED', ({ errors }) => formatCount(errors)),
  column('OUTPUT TOKENS (ESTIMATE)', (row) => formatCount(row.outputTokensEstimate), {
    short: { title: 'OUTPUT', text: (row) => formatCount(row.outputTokensEstimate) },
  }),
  column('SECONDS (AT MOST)', secondsText, { short: { title: 'SECONDS', text: secondsText } }),
  { ...SESSIONS, leaves: 1 },
]

function secondsText({ timedCalls, maxTimeMs }: UsageRow): string {
  return formatCount(timedCalls ? Math.round((maxTimeMs ?? 0) / 1000) : null)
}

function plainColumns(by: string): Column[] {
  if (by === 'tool') return [labelColumn(by), ...TOOL_COLUMNS]
  return [
    labelColumn(by),
    column('INPUT', (row) => formatCount(row.usage?.input)),
    column('CACHED', (row) => formatCount(row.usage?.cached)),
    column('OUTPUT', (row) => formatCount(row.usage?.output)),
    column('THINKING', (row) => formatCount(row.usage?.thoughts)),
    column('TOTAL', (row) => formatCount(row.usage?.total)),
    column('COST', ({ cost }) => formatColumnCost(cost)),
    CALLS,
    SESSIONS,
  ]
}

function readColumns(by: string): Column[] {
  if (by === 'tool') return [labelColumn(by), ...TOOL_COLUMNS]
  const tokens = (title: string, of: (usage: NonNullable<UsageRow['usage']>) => number) =>
    column(title, ({ usage }) => (usage === null ? '-' : formatTokens(of(usage))), { leaves: 1 })
  return [
    labelColumn(by),
    { ...SESSIONS, leaves: 3 },
    column('REQUESTS', ({ calls }) => formatCount(calls), { leaves: 2 }),
    tokens('INPUT', ({ input }) => input),
    tokens('CACHED', ({ cached }) => cached),
    tokens('OUTPUT', ({ output }) => output),
    tokens('THINKING', ({ thoughts }) => thoughts),
    column('TOKENS', ({ usage }) => formatUsage(usage)),
    column('COST', ({ cost }) => formatCost(cost)),
  ]
}

function totalRow({ total }: UsageReport): UsageRow {
  return { key: '', label: 'Total', ...total }
}
