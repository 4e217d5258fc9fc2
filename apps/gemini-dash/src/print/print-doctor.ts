import type { Doctor } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import { formatCount, formatPlural, formatSize } from '@gemini-dash/api/figures'
import type { Terminal } from '../terminal/cli-error.ts'
import { escapeLine } from './escape-controls.ts'
import { createPaint, padWidth, wrapText } from './paint.ts'

const LABEL_WIDTH = 17
/** Per topic; the whole report has the others. */
const MOST_LINES = 5

type Matter = readonly [label: string, ...lines: string[]]

interface Look {
  terminal: Pick<Terminal, 'columns' | 'isColorful'>
  nowMs: number
  /** Short keys by full key. */
  shortKeys: Readonly<Record<string, string>>
}

/** What matters in the report, for a terminal: one topic per paragraph, without empty topics. */
export function printDoctorSummary(
  doctor: Doctor,
  { terminal: { columns, isColorful }, nowMs, shortKeys }: Look,
): string {
  const paint = createPaint(isColorful)
  const width = columns === null ? null : columns - LABEL_WIDTH
  const matters = mattersOf(doctor, nowMs, columns === null ? {} : shortKeys).map(([label, ...lines]) => {
    const text = lines
      .map(escapeLine)
      .map((line) => (width === null ? line : wrapText(line, width)))
      .join('\n')
      .replaceAll('\n', `\n${' '.repeat(LABEL_WIDTH)}`)
    const name = padWidth(label, LABEL_WIDTH, 'right')
    return `${WARNED.has(label) ? paint.amber(name) : paint.bold(name)}${text}`
  })
  const rest = hasMore(doctor) ? ['', 'The whole report: gemini-dash doctor --all'] : []
  return `${[headline(doctor), '', ...matters, ...rest].join('\n')}\n`
}

const WARNED = new Set(['Warning', 'Settings', 'Unreadable', 'Partly read', 'Deleted soon'])

function headline({ files }: Doctor): string {
  const unread = unreadable(files).length
  const found = `${formatPlural(files.sessions, 'session')} found.`
  if (unread === 0) return `All ${formatPlural(files.found, 'file')} read. ${found}`
  return `${formatCount(unread)} of ${formatPlural(files.found, 'file')} couldn't be read. ${found}`
}

function unreadable(files: Doctor['files']): Doctor['files']['skipped'] {
  return files.skipped.filter(({ needsAttention }) => needsAttention)
}

function mattersOf(doctor: Doctor, nowMs: number, shortKeys: Look['shortKeys']): Matter[] {
  const { warnings, homes, files, issues, drift, unclearProjects, lostInArchive, unpriced, cache, disk } =
    doctor
  const partly = issues.filter(({ partlyRead }) => partlyRead.total > 0)
  return [
    ...warnings.map(
      ({ message, advice }): Matter => ['Warning', advice === null ? message : `${message} ${advice}`],
    ),
    ...homes.map(({ path, exists }, at): Matter => {
      const size = at === 0 && disk.sizeBytes > 0 ? `  ${formatSize(disk.sizeBytes)}` : ''
      return ['Gemini folder', `${path}${exists ? size : '  (not there)'}`]
    }),
    ...homes.flatMap(({ antigravity }): Matter[] =>
      antigravity === undefined ? [] : [['Antigravity', antigravity.text]],
    ),
    ...matter(
      'Unreadable',
      unreadable(files).flatMap(({ path, reason, advice }) => [
        belowHome(path, homes),
        `${reason} ${advice}`,
      ]),
    ),
    ...matter(
      'Partly read',
      partly.map(({ count, reason, advice }) => `${reason} (${formatCount(count)}) ${advice}`),
    ),
    ['Gemini CLI', doctor.cli.text],
    ...matter(
      'Warning',
      doctor.sandboxes.map(({ text, advice }) => `${text} ${advice}`),
    ),
    ...matter('Settings', doctor.retention.problems.map(settingText)),
    ...matter('Deleted soon', deletedSoon(doctor, nowMs, shortKeys)),
    ...matter(
      'Unknown project',
      unclearProjects.length === 0
        ? []
        : [
            `${formatCount(unclearProjects.length)} (folder name is a hash): gemini-dash doctor --find-projects`,
          ],
    ),
    ...matter(
      'Unknown fields',
      drift.length === 0 ? [] : [`${formatCount(drift.length)}: gemini-dash doctor --all`],
    ),
    ...matter(
      'Without a price',
      unpriced.map(
        ({ model, calls, tokens }) =>
          `${model ?? 'no model recorded'}: ${formatPlural(calls, 'request')} with ${formatPlural(tokens, 'token')} not in any cost`,
      ),
    ),
    ...matter('Archive', lostInArchive === null ? [] : [lostInArchive]),
    ['Search index', cache.path === null ? 'in memory' : `${formatSize(cache.sizeBytes)}, ${cache.path}`],
  ]
}

/** As short as possible: relative to the home if there is only one. */
function belowHome(path: string, homes: Doctor['homes']): string {
  const [home] = homes
  return homes.length === 1 && home !== undefined && path.startsWith(home.path)
    ? path.slice(home.path.length + 1)
    : path
}

function matter(label: string, lines: readonly string[]): Matter[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, MOST_LINES * 2)
  const rest =
    lines.length > shown.length ? [`and ${formatCount(lines.length - shown.length)} more lines`] : []
  return [[label, ...shown, ...rest]]
}

function settingText({
  path,
  setting,
  value,
  reason,
  advice,
}: Doctor['retention']['problems'][number]): string {
  return `${path}: ${setting}${value === null ? '' : ` is ${value}`}. ${reason} ${advice}`
}

/** Sessions that Gemini CLI deletes within a week, and how to keep them. */
function deletedSoon(
  { retention: { enabled, expiring, atRisk }, cli }: Doctor,
  nowMs: number,
  shortKeys: Look['shortKeys'],
): string[] {
  const due = [...atRisk, ...expiring]
  if (!enabled || due.length === 0) return []
  const { before, after } = dueWords(cli.byRules)
  const areDue = expiring.every(({ deletedAfter }) => Date.parse(deletedAfter) <= nowMs)
  const when = areDue ? 'on its next start' : 'on its next start or within a week'
  const shown = due.slice(0, MOST_LINES)
  return [
    `${before}${formatPlural(due.length, 'session')}${after} ${when}`,
    ...shown.map(({ sessionKey, title }) => `${shortKeys[sessionKey] ?? sessionKey}  ${title}`),
    ...(due.length > shown.length ? [`and ${formatCount(due.length - shown.length)} more`] : []),
    'Keep copies: gemini-dash keep on',
  ]
}

function hasMore({ drift, duplicates, copiedSessions, empty, disk }: Doctor): boolean {
  return drift.length + duplicates + copiedSessions.length + empty.total + disk.files > 0
}
