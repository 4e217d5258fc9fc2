import type { Database } from '../driver.ts'

/** What is looked for among the commands that ran. */
export interface CommandQuery {
  /**
   * Words in lower case, of which a command has all; where no command has, the next ones. Each of the last ones is a part of a
   * word of those before.
   */
  tries: string[][]
  /** Keys of the sessions; null: all. */
  sessions: string[] | null
}

/** A command line in one session. */
export interface FoundCommand {
  sessionKey: string
  /** At most its first 1,024 characters. */
  line: string
  /** How well it is what was asked for: 0 is best. */
  rank: number
  /** Which of `tries` found it. */
  tried: number
  worked: number
  failed: number
  /** Of its last run that worked, else of its last run. */
  messageKey: string
  /** Among the calls of that message. */
  place: number
  timeMs: number
  exitCode: number | null
}

/** More than anybody chooses from. */
const MOST_COMMANDS = 200
const IS_COMMAND =
  "call.name IN ('run_shell_command', 'run_command') AND (call.failed OR call.status = 'success')"

/** The commands with these words, those that begin with them first; each line of a session once. */
export function findCommands(database: Database, { tries, sessions }: CommandQuery): FoundCommand[] {
  const lines = linesWith(database, tries.at(-1) ?? [])
  const wanted = sessions === null ? null : new Set(sessions)
  for (const [tried, words] of tries.entries()) {
    const ranks = new Map(
      lines.flatMap((line) => rankOf(line, words) ?? []).map(({ line, rank }) => [line, rank]),
    )
    if (ranks.size === 0) continue
    const found = runsOf(database, [...ranks.keys()])
      .filter(({ sessionKey }) => wanted?.has(sessionKey) !== false)
      .map((run) => ({ ...run, tried, rank: ranks.get(run.line) ?? 0 }))
    if (found.length > 0) return bestCommands(found)
  }
  return []
}

/** The best first: as asked for, then those that worked, then the newest. */
export function bestCommands<Command extends Pick<FoundCommand, 'rank' | 'tried' | 'worked' | 'timeMs'>>(
  found: readonly Command[],
): Command[] {
  const isIdle = ({ worked }: Command) => (worked === 0 ? 1 : 0)
  const first = Math.min(...found.map(({ tried }) => tried))
  return found
    .filter(({ tried }) => tried === first)
    .sort((a, b) => a.rank - b.rank || isIdle(a) - isIdle(b) || b.timeMs - a.timeMs)
    .slice(0, MOST_COMMANDS)
}

function linesWith(database: Database, words: readonly string[]): string[] {
  if (words.length === 0) return []
  const row = database.get(
    `SELECT json_group_array(DISTINCT line) AS lines FROM call
      WHERE ${IS_COMMAND} ${'AND instr(lower(line), ?) > 0 '.repeat(words.length)}`,
    ...words,
  )
  return JSON.parse(String(row?.lines ?? '[]'))
}

type Row = [string, string, number, number, number, number, number | null, string]

/** A bare column beside one max() is that of the row with it. What was declined, cancelled or has no result did not run. */
function runsOf(database: Database, lines: readonly string[]): Omit<FoundCommand, 'rank' | 'tried'>[] {
  const row = database.get(
    `SELECT json_group_array(
        json_array(session.key, message.key, place, run.time, failures, runs, exit_code, line)) AS found
      FROM (
        SELECT call.message, call.place, call.line, call.exit_code, search_row.session, search_row.time,
          sum(call.failed) AS failures, count(*) AS runs, max((1 - call.failed) * 1e14 + search_row.time)
        FROM call JOIN search_row ON search_row.id = call.message
        WHERE ${IS_COMMAND} AND call.line IN (SELECT value FROM json_each(?))
        GROUP BY search_row.session, call.line) AS run
      JOIN session ON session.number = run.session
      JOIN message ON message.id = run.message`,
    JSON.stringify(lines),
  )
  const rows: Row[] = JSON.parse(String(row?.found ?? '[]'))
  return rows.map(([sessionKey, messageKey, place, timeMs, failed, runs, exitCode, line]) => ({
    ...{ sessionKey, messageKey, place, timeMs, failed, exitCode, line },
    worked: runs - failed,
  }))
}

/**
 * 0: it is these words; 1: it begins with them; 2: one of its commands does; 3: they follow each other; 4: all are words of it.
 * null: they are parts of words.
 */
function rankOf(line: string, words: readonly string[]): { line: string; rank: number } | null {
  const lower = line.toLowerCase()
  if (!words.every((word) => lower.includes(word))) return null
  const commands = lower
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.split(/[\s"'`()=]+/).filter((word) => word !== ''))
  const [first = []] = commands
  if (beginsWith(first, words))
    return { line, rank: commands.length === 1 && first.length === words.length ? 0 : 1 }
  if (commands.some((command) => beginsWith(command, words))) return { line, rank: 2 }
  if (commands.some((command) => command.some((_, at) => beginsWith(command.slice(at), words))))
    return { line, rank: 3 }
  const all = new Set([...lower.split(/[^\p{L}\p{N}_]+/u), ...commands.flat()])
  return words.every((word) => all.has(word)) ? { line, rank: 4 } : null
}

function beginsWith(command: readonly string[], words: readonly string[]): boolean {
  return words.every((word, at) => command[at] === word)
}

/** Which edits are looked for. */
export interface EditQuery {
  /** Last names of files; a path of the edit has one of them. */
  names: string[]
  /** Since then, in milliseconds since 1970. */
  afterMs: number
}

/** An edit that was carried out. */
export interface FoundEdit {
  sessionKey: string
  timeMs: number
  /** As the call named them. */
  paths: string[]
}

/** Edits of files with these names. Which of them are the files that are meant, roots of projects tell. */
export function findEdits(database: Database, { names, afterMs }: EditQuery): FoundEdit[] {
  if (names.length === 0) return []
  const row = database.get(
    `SELECT json_group_array(json_array(session.key, search_row.time, json(call.paths))) AS edits FROM call
      JOIN search_row ON search_row.id = call.message
      JOIN session ON session.number = search_row.session
      WHERE call.name IN ('replace', 'write_file', 'write_to_file', 'replace_file_content',
          'multi_replace_file_content') AND call.status = 'success' AND NOT call.failed
        AND search_row.time > ? AND (${names.map(() => 'instr(call.paths, ?) > 0').join(' OR ')})`,
    afterMs,
    // as it stands in JSON
    ...names.map((name) => JSON.stringify(name).slice(1, -1)),
  )
  const edits: [string, number, string[]][] = JSON.parse(String(row?.edits ?? '[]'))
  return edits.map(([sessionKey, timeMs, paths]) => ({ sessionKey, timeMs, paths }))
}
