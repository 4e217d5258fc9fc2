import { arch, platform, release } from 'node:os'
import type { Doctor, Health, KeepStatus } from '@gemini-dash/api'
import { formatCount, formatPlural, formatSize } from '@gemini-dash/api/figures'
import { redactText } from '@gemini-dash/redact'
import type { Project } from 'gemini-sessions'
import { plainWithoutCalls } from './inert-mentions.ts'
import { ownNames } from './own-names.ts'

interface ReportParts {
  health: Health
  doctor: Doctor
  projects: readonly Project[]
  keep: KeepStatus
}

/** Names as programs choose them; anything else may be a user's text. */
const CHOSEN_BY_A_PROGRAM = /^[$\w.,()-]{1,64}$/

/**
 * The state of the program as Markdown for sharing: versions, counts and codes. No titles, no prompts; paths and the names of projects and
 * of the user are replaced where a message contains them. It mentions nobody.
 */
export function healthReport({ health, doctor, projects, keep }: ReportParts): string {
  const { files, retention, disk } = doctor
  const clean = (text: string) => plainWithoutCalls(withoutNames(text, projects)).replaceAll('|', '\\|')
  const { list, plan, problem } = health.prices
  const lines = [
    `# Health of gemini-dash ${health.version}`,
    '',
    `- Node.js ${process.versions.node} on ${platform()} ${release()}, ${arch()}`,
    `- homes: ${health.homes.map(({ exists }) => (exists ? 'there' : 'not there')).join(', ')}${health.demo ? ' (the sample)' : ''}`,
    `- index: ${health.index.state}, ${formatCount(health.index.filesDone)} of ${formatPlural(health.index.filesTotal, 'file')} read, ${formatSize(doctor.cache.sizeBytes)}${doctor.cache.path === null ? ' in memory' : ''}`,
    `- files: ${formatCount(files.found)} found, ${formatPlural(files.sessions, 'session')}, ${formatCount(files.partlyRead)} read in part, ${formatPlural(doctor.duplicates, 'copy', 'copies')}`,
    `- projects: ${formatCount(projects.length)}, ${formatCount(doctor.unclearProjects.length)} without a path`,
    `- disk: ${formatSize(disk.sizeBytes)} in ${formatPlural(disk.files, 'file')}`,
    `- clean-up of Gemini CLI: ${retention.enabled ? `on, ${retention.maxAgeDays ?? 'no'} days` : 'off'}, ${formatCount(retention.expiring.length)} within a week, ${formatCount(retention.atRisk.length)} at its next start`,
    `- archive: ${keep.enabled ? 'on' : 'off'}, ${formatPlural(keep.sessions, 'session')}, ${keep.damage === null ? 'whole' : `damaged, ${formatCount(keep.damage.affected)} affected`}${keep.problem === null ? '' : `, ${keep.hindrance}`}`,
    `- prices: ${list.name} ${list.version} of ${list.date}, ${plan}${problem === null ? '' : ', own file not used'}`,
    ...table('Not read', 'reason', counted(files.skipped.map(({ reason }) => clean(reason)))),
    ...table(
      'Read in part',
      'code',
      doctor.issues.map(({ code, count }) => [code, count]),
    ),
    ...table(
      'New names',
      'where and name',
      doctor.drift.map(({ where, name, count }) => [clean(`${where}: ${plainName(name)}`), count]),
    ),
    ...table(
      'Currently not readable',
      'code',
      Object.entries(doctor.unread?.reasons ?? {}).map(([code, count]) => [code, count]),
    ),
    ...table(
      'Warnings',
      'code and message',
      counted(doctor.warnings.map(({ code, message }) => `${code}: ${clean(message)}`)),
    ),
  ]
  return redactText(`${lines.join('\n')}\n`, ownNames()).text
}

function table(title: string, head: string, rows: readonly (readonly [string, number])[]): string[] {
  if (rows.length === 0) return []
  return [
    '',
    `## ${title}`,
    '',
    `| ${head} | count |`,
    '|---|---|',
    ...rows.map(([what, count]) => `| ${what} | ${count} |`),
  ]
}

function counted(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
}

function plainName(name: string): string {
  return CHOSEN_BY_A_PROGRAM.test(name) ? name : '(not shown: no plain name)'
}

/** Prefixes of a path on any system: `/`, `C:\`, `\\server\`, `\\?\C:\`, `~/`, `%USERPROFILE%\`, `file:///`. */
const START = String.raw`(?:file:\/\/\/?(?:[A-Za-z]:)?|(?:\\\\[?.]\\)?[A-Za-z]:[\\/]|\\\\|~[\\/]|%\w+%[\\/]|\/)`
const QUOTED_PATH = new RegExp(`(["'\`“])${START}[^"'\`“”\\n]*`, 'g')
/** Up to where a sentence continues; a word after a space belongs to the path if another separator or an extension follows. */
const PATH = new RegExp(
  String.raw`${START}[^\s"'\`,;:()<>|]*(?:(?: [^\s"'\`,;:()<>|\\/]+){0,3} ?[^\s"'\`,;:()<>|\\/]*[\\/][^\s"'\`,;:()<>|]*)*(?:(?: [^\s"'\`,;:()<>|\\/.]+){1,3}\.\w{1,5}\b)?`,
  'g',
)
/** File names of sessions, from the CLI and other programs. */
const FILE_NAME = /\b(?:session|checkpoint|bug-report-history|gemini-conversation)-[^\s"'`/\\,;:()]+/g
/** A URL may contain an encoded URL. */
const MOST_ENCODED = 3

/**
 * Removes paths, file names, and the user's names for projects and this computer from a message of ours, in whatever form it quotes them.
 */
export function withoutNames(
  sentence: string,
  projects: readonly Pick<Project, 'name' | 'path'>[],
  { userNames, hostNames } = ownNames(),
): string {
  const plain = decoded(sentence)
  // a marker may contain any text as its path, even one too long for a pattern
  const known = projects
    .flatMap(({ name, path }) => [path ?? '', name])
    .filter((name) => name.length > 2 && name.length <= plain.length)
  const longestFirst = known.toSorted((one, other) => other.length - one.length)
  // before projects, whose names occur in paths
  const withoutPaths = plain
    .replace(QUOTED_PATH, '$1[path]')
    .replace(PATH, (path) => `[path]${path.endsWith('.') ? '.' : ''}`)
    .replace(FILE_NAME, '[file]')
  const withoutProjects = longestFirst.reduce(
    (text, name) => text.replace(new RegExp(literal(name), 'gi'), '[project]'),
    withoutPaths,
  )
  return [...userNames, ...hostNames].reduce(
    (text, name) => text.replace(new RegExp(`(?<![\\w-])${literal(name)}(?![\\w-])`, 'gi'), '[name]'),
    withoutProjects,
  )
}

/** Decodes `%20` and the like; invalid sequences stay. */
function decoded(text: string): string {
  let plain = text
  for (let times = 0; times < MOST_ENCODED; times += 1) {
    plain = plain.replace(/(?:%[0-9A-Fa-f]{2})+/g, (encoded) => {
      try {
        return decodeURIComponent(encoded)
      } catch {
        return encoded
      }
    })
  }
  return plain
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
