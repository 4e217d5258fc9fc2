import type { Doctor } from '@gemini-dash/api'
import {
  describeCopiedSessions,
  formatColumnTime,
  formatCount,
  formatPlural,
  formatSize,
} from '@gemini-dash/api/figures'
import { groupBy } from '@gemini-dash/api/group-by'
import { withAnswer } from '../environment/answer-question.ts'
import { clockOf } from '../environment/open-store.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import { printDoctorSummary } from '../print/print-doctor.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'

/** Lines listed individually; `--json` has all of them. */
const MOST_LINES = 50
/** For sessions that are copies of others: nothing is wrong with them. */
const MOST_COPIED_SESSIONS = 3

/** Prints what matters, or the whole report; fails if something was not read or not understood. */
export const doctor: RunCommand = async (input) => {
  const clock = await clockOf(input.flags)
  await withAnswer(input, { command: 'doctor' }, async ({ report, shortKeys }) => {
    const { terminal, flags } = input
    await terminal.write(
      flags.json
        ? jsonLine(report)
        : flags.all
          ? printDoctor(report, clock())
          : printDoctorSummary(report, { terminal, nowMs: clock(), shortKeys }),
    )
    failForUnread(report)
    if (!report.isWell) throw new CliError(1, describeTrouble(report), whatToDo(report))
  })
}

function describeTrouble({ files, issues, drift, warnings }: Doctor): string {
  const damage = warnings.find(({ code }) => code === 'archive-damaged')
  const notRead = files.skipped.filter(({ needsAttention }) => needsAttention).length
  const places = issues.reduce((sum, { count }) => sum + count, 0)
  const matters = [
    plural(notRead, 'file was not read', 'files were not read'),
    plural(places, 'place could not be read', 'places could not be read'),
    plural(drift.length, 'unknown field', 'unknown fields'),
  ].filter((text) => text !== '')
  const rest = matters.length > 0 ? [`Not everything was read: ${matters.join(', ')}.`] : []
  return [...(damage === undefined ? [] : [damage.message]), ...rest].join(' ')
}

function plural(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${formatCount(count)} ${count === 1 ? one : many}`
}

function whatToDo({ drift, files, warnings }: Doctor): string {
  const damage = warnings.find(({ code }) => code === 'archive-damaged')
  if (damage?.advice != null) return damage.advice
  if (drift.length > 0) return 'Update gemini-dash or report the fields; the report says where they are.'
  return files.skipped.some(({ needsAttention }) => needsAttention)
    ? 'For each file, the report says why and what to do.'
    : 'Everything else in these files is shown; the report says where.'
}

/** Findings and problems, one topic per paragraph; empty topics are left out. */
function printDoctor(doctor: Doctor, nowMs: number): string {
  const { warnings, homes, files, issues, drift, cache } = doctor
  const attention = files.skipped.filter(({ needsAttention }) => needsAttention)
  const harmless = files.skipped.filter(({ needsAttention }) => !needsAttention)
  const sections = [
    section(
      'Warnings',
      warnings.map(({ message, advice }) => (advice === null ? message : `${message} ${advice}`)),
    ),
    section('Homes', homes.flatMap(homeLines)),
    section('Gemini CLI', cliLines(doctor)),
    section('Files', [`${formatCount(files.found)} found, ${formatCount(files.sessions)} sessions`]),
    section('Not read', skippedLines(attention)),
    section('Partly read', issues.filter(({ partlyRead }) => partlyRead.total > 0).flatMap(issueLines)),
    section(
      'Unknown fields',
      drift.map(
        ({ where, name, count, example }) => `${where} "${name}" (${formatCount(count)}), e.g. ${example}`,
      ),
    ),
    section('Skipped, nothing is missing', skippedLines(harmless)),
    section('Copies', copyLines(doctor)),
    section('Copied sessions', copiedSessionLines(doctor.copiedSessions)),
    section('Deleted by Gemini CLI', retentionLines(doctor, nowMs)),
    section('Archive', doctor.lostInArchive === null ? [] : [doctor.lostInArchive]),
    section('Empty sessions', emptyLines(doctor)),
    section('Without a price', unpricedLines(doctor)),
    section(
      'Projects without a known path',
      doctor.unclearProjects.map(({ name }) => name),
    ),
    section('On disk', diskLines(doctor.disk)),
    section('Index', [cache.path === null ? 'in memory' : `${cache.path}, ${formatSize(cache.sizeBytes)}`]),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

function section(title: string, lines: string[]): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, MOST_LINES)
  const rest =
    lines.length > shown.length ? [`... and ${formatCount(lines.length - shown.length)} more lines`] : []
  return [title, ...[...shown, ...rest].map((line) => `  ${escapeLine(line)}`)].join('\n')
}

function homeLines({ path, exists, note, conversations, antigravity }: Doctor['homes'][number]): string[] {
  const line = `${path}${exists ? '' : '  (not there)'}${note === null ? '' : `  ${note}`}`
  return [line, conversations, antigravity?.text].filter((each) => each !== undefined)
}

/** Groups files that were skipped for the same reason. */
function skippedLines(skipped: Doctor['files']['skipped']): string[] {
  const explanations = new Set(skipped.map(({ reason, advice }) => `${reason} ${advice}`))
  return [...explanations].flatMap((explanation) => [
    explanation,
    ...skipped
      .filter(({ reason, advice }) => `${reason} ${advice}` === explanation)
      .map(({ path }) => `  ${path}`),
  ])
}

function issueLines({ code, count, reason, advice, example }: Doctor['issues'][number]): string[] {
  const place = `${example.path}${example.at === '' ? '' : `, ${example.at}`}`
  return [`${code} (${formatCount(count)}): ${reason}`, `  e.g. ${place}. ${advice}`]
}

/** One line for all files of a folder that repeat files of one other folder. */
function copyLines({ duplicates, copies, onlyThere }: Doctor): string[] {
  const folders = groupBy(copies, ({ path, repeats }) => `${folderOf(path)} repeat ${folderOf(repeats)}`)
  const isOne = duplicates === 1
  return [
    ...(duplicates === 0
      ? []
      : [`${formatPlural(duplicates, 'file')} only ${isOne ? 'repeats' : 'repeat'} another file:`]),
    ...[...folders].map(([pair, [first, ...more]]) =>
      more.length === 0 && first !== undefined
        ? `${first.path} repeats ${first.sessionKey}`
        : `${formatPlural(more.length + 1, 'file')} of ${pair}`,
    ),
    ...(onlyThere.length === 0 ? [] : ['Copies with content that no other file has:']),
    ...onlyThere.map(({ path, sessionKey, messages, firstKey }) =>
      messages === 0
        ? `${path}: all messages are in other files, but the start, title or another detail of ${sessionKey} is only here`
        : `${path}: ${formatPlural(messages, 'message')} of ${sessionKey} ${messages === 1 ? 'is' : 'are'} only here, starting with ${firstKey}`,
    ),
  ]
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function copiedSessionLines(copied: Doctor['copiedSessions']): string[] {
  if (copied.length === 0) return []
  const rest = copied.length - MOST_COPIED_SESSIONS
  return [
    describeCopiedSessions(copied),
    ...copied
      .slice(0, MOST_COPIED_SESSIONS)
      .map(({ key, title, from, requests }) => `${key} "${title}": ${formatCount(requests)} from ${from}`),
    ...(rest > 0 ? [`... and ${formatCount(rest)} more`] : []),
  ]
}

/** Nothing listed here is ever deleted by this program. */
function diskLines(disk: Doctor['disk']): string[] {
  if (disk.sizeBytes === 0) return []
  const [all, sessions, outputs, other] = [
    disk.sizeBytes,
    disk.sessionBytes,
    disk.outputBytes,
    disk.otherBytes,
  ].map(formatSize)
  return [
    `${disk.isComplete ? '' : 'at least '}${all}: sessions ${sessions}, tool outputs ${outputs}, other ${other}`,
  ]
}

/** The CLI version whose rules apply, and whether it loses sessions. */
function cliLines({ cli, sandboxes }: Doctor): string[] {
  const { installed, text } = cli
  return [
    installed === null ? text : `${text} (${installed.path})`,
    ...sandboxes.map((sandbox) => `${sandbox.text} ${sandbox.advice}`),
  ]
}

function retentionLines({ retention, cli }: Doctor, nowMs: number): string[] {
  const { enabled, problems, expiring, atRisk } = retention
  const refused = problems.map(
    ({ path, setting, value, reason, advice }) =>
      `${path}: ${setting}${value === null ? '' : ` is ${value}`}. ${reason} ${advice}`,
  )
  if (!enabled) return refused.length > 0 ? refused : ['sessions are never deleted']
  return [
    ...refused,
    `${cli.byRules === null ? '' : `${cli.byRules}, `}${limitsLine(retention)}`,
    ...expiring.map(({ sessionKey, title, deletedAfter, cause }) =>
      Date.parse(deletedAfter) <= nowMs
        ? `${sessionKey} "${title}" is deleted on the next start${cause === 'count' ? ', as maxCount is reached' : ''}`
        : `${sessionKey} "${title}" is deleted after ${formatColumnTime(deletedAfter)}`,
    ),
    ...atRisk.map(
      ({ sessionKey, title, reason }) => `${sessionKey} "${title}" is deleted on the next start. ${reason}`,
    ),
  ]
}

function limitsLine({ maxAgeDays, maxCount }: Doctor['retention']): string {
  const limits = [
    ...(maxAgeDays === null ? [] : [`after ${formatPlural(maxAgeDays, 'day')}`]),
    ...(maxCount === null
      ? []
      : [`when a project has more than ${formatPlural(maxCount, 'session')} (maxCount), oldest first`]),
  ]
  return limits.length === 0
    ? 'only files that Gemini CLI cannot resume are deleted'
    : `sessions are deleted ${limits.join(', and ')}`
}

/** A single line, however many there are: they contain nothing that could be lost. */
function emptyLines({ empty }: Doctor): string[] {
  if (empty.total === 0) return []
  return [
    `${formatPlural(empty.total, 'session')} without messages: Gemini CLI recorded only their start. List them: gemini-dash list --kind empty`,
  ]
}

function unpricedLines({ unpriced }: Doctor): string[] {
  if (unpriced.length === 0) return []
  return [
    ...unpriced.map(({ model, calls, tokens }) =>
      tokens === 0
        ? `${model ?? 'no model recorded'}: ${formatPlural(calls, 'request')} partly priced; the cost shown is a minimum`
        : `${model ?? 'no model recorded'}: ${formatPlural(calls, 'request')} with ${formatPlural(tokens, 'token')} not in any cost`,
    ),
    'Set a price for them in prices.json, or update gemini-dash.',
  ]
}
