import type { Doctor } from '@gemini-dash/api'
import { withAnswer } from '../environment/with-answer.ts'
import { formatCount } from '../print/format-figures.ts'
import { jsonLine } from '../print/json-line.ts'
import { printDoctor } from '../print/print-doctor.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import { failForUnread } from '../terminal/fail-for-unread.ts'

/** Prints the whole report in any case, and fails where something was not read or not understood. */
export const doctor: RunCommand = async (input) => {
  await withAnswer(input, { command: 'doctor' }, async (report) => {
    const { terminal, flags } = input
    await terminal.write(flags.json ? jsonLine(report) : printDoctor(report))
    failForUnread(report)
    if (!report.isWell) throw new CliError(1, describeTrouble(report), whatToDo(report))
  })
}

function describeTrouble({ files, issues, drift }: Doctor): string {
  const notRead = files.skipped.filter(({ needsAttention }) => needsAttention).length
  const places = issues.reduce((sum, { count }) => sum + count, 0)
  const matters = [
    plural(notRead, 'file was not read', 'files were not read'),
    plural(places, 'place could not be read', 'places could not be read'),
    plural(drift.length, 'name is new to this version', 'names are new to this version'),
  ].filter((text) => text !== '')
  return `Not all is understood: ${matters.join(', ')}.`
}

function plural(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${formatCount(count)} ${count === 1 ? one : many}`
}

function whatToDo({ drift, files }: Doctor): string {
  if (drift.length > 0)
    return 'Look for a newer gemini-dash, or report the names; the report says where they are.'
  return files.skipped.some(({ needsAttention }) => needsAttention)
    ? 'The report says of each file why, and what to do.'
    : 'Everything else in these files is shown; the report says where.'
}
