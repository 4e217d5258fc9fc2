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
import type { Project } from 'gemini-sessions'
import { readLimit, withAnswer } from '../environment/answer-question.ts'
import { clockOf } from '../environment/open-store.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import { plainTable, type TableColumn, writeTable } from '../print/print-table.ts'
import type { RunCommand } from '../terminal/commands.ts'

/** `projects`: the answer of `/api/projects` as a table. */
export const projects: RunCommand = async (input) => {
  const { flags, terminal } = input
  const limit = readLimit(flags) ?? Number.POSITIVE_INFINITY
  const nowMs = (await clockOf(flags))()
  await withAnswer(input, { command: 'projects', project: flags.project }, async ({ list, unread }) => {
    const { projects: all, total } = list
    const shown = all.slice(0, limit)
    if (flags.json) await terminal.write(jsonLine({ projects: shown, total }))
    else if (flags.plain) await terminal.write(plainTable(PLAIN_COLUMNS, shown))
    else {
      if (shown.length > 0) await writeTable(terminal, readColumns(nowMs), shown)
      const count = formatPlural(total, 'project')
      terminal.note(shown.length < total ? `${formatCount(shown.length)} of ${count}` : count)
    }
    failForUnread({ unread })
  })
}

const NAME: TableColumn<Project> = { title: 'PROJECT', text: ({ name }) => name }
const PATH: TableColumn<Project> = { title: 'PATH', text: ({ path }) => path ?? 'not known' }
const SESSIONS: TableColumn<Project> = {
  title: 'SESSIONS',
  text: ({ sessions }) => formatCount(sessions),
  align: 'right',
}
const TOKENS: TableColumn<Project> = {
  title: 'TOKENS',
  text: ({ usage }) => formatUsage(usage),
  align: 'right',
}

const PLAIN_COLUMNS: readonly TableColumn<Project>[] = [
  { title: 'KEY', text: ({ key }) => key },
  NAME,
  { title: 'PATH', text: ({ path }) => path ?? '' },
  SESSIONS,
  TOKENS,
  { title: 'COST', text: ({ cost }) => formatColumnCost(cost) },
  { title: 'LAST ACTIVITY', text: (project) => activityText(project, formatColumnTime) },
]

function readColumns(nowMs: number): TableColumn<Project>[] {
  return [
    { ...NAME, narrowsTo: 16 },
    { ...PATH, narrowsTo: 20, leaves: 2 },
    SESSIONS,
    { ...TOKENS, leaves: 1 },
    { title: 'COST', text: ({ cost }) => formatCost(cost), align: 'right' },
    {
      title: 'LAST ACTIVITY',
      text: (project) => activityText(project, (time) => formatColumnMoment(time, nowMs)),
      short: {
        title: 'LAST',
        text: (project) => activityText(project, (time) => formatColumnDay(time, nowMs)),
      },
      align: 'right',
    },
  ]
}

function activityText({ lastActivity }: Project, write: (time: string) => string): string {
  return lastActivity === null ? 'no date' : write(lastActivity)
}
