import type { Database } from '../driver.ts'

/** A search for commands that ran. */
export interface CommandQuery {
  /**
   * Lower-case words, all of which a command must contain; each next entry is tried if the previous finds nothing. Each word of the last
   * entry is part of a word of the earlier ones.
   */
  tries: string[][]
  /** Session keys; null: all. */
  sessions: string[] | null
}

/** A command line in one session. */
export interface FoundCommand {
  sessionKey: string
  /** At most its first 1,024 characters. */
  line: string
  /** Quality of the match: 0 is best. */
  rank: number
  /** Index of the entry of `tries` that found it. */
  tried: number
  worked: number
  failed: number
  /** Of its last successful run, else of its last run. */
  messageKey: string
  /** Index among the calls of that message. */
  place: number
  timeMs: number
  exitCode: number | null
}

/** More than anybody would choose from. */
const MOST_COMMANDS = 200
const IS_COMMAND =
  "call.name IN ('run_shell_command', 'run_command') AND (call.failed OR call.status = 'success')"

/** The commands with these words, those that start with them first; each line once per session. */
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

/** The best first: by match, then successful ones, then `npm test` before `npm test -- cart`, then the newest. */
export function bestCommands<
  Command extends Pick<FoundCommand, 'rank' | 'tried' | 'worked' | 'timeMs' | 'line'>,
>(found: readonly Command[]): Command[] {
  const lines = new Set(found.map(({ line }) => line))
  const narrow = new Set([...lines].filter((line) => beginsWithOther(line, lines)))
  const isNarrow = ({ line }: Command) => (narrow.has(line) ? 1 : 0)
  const isIdle = ({ worked }: Command) => (worked === 0 ? 1 : 0)
  const first = Math.min(...found.map(({ tried }) => tried))
  return found
    .filter(({ tried }) => tried === first)
    .sort(
      (a, b) => a.rank - b.rank || isIdle(a) - isIdle(b) || isNarrow(a) - isNarrow(b) || b.timeMs - a.timeMs,
    )
    .slice(0, MOST_COMMANDS)
}

function beginsWithOther(line: string, lines: ReadonlySet<string>): boolean {
  for (let at = line.indexOf(' '); at > 0; at = line.indexOf(' ', at + 1))
    if (lines.has(line.slice(0, at))) return true
  return false
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

/** A bare column beside max() comes from the row with the maximum. Calls that were declined, cancelled or have no result did not run. */
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
 * 0: exactly these words; 1: starts with them; 2: one of its commands does; 3: they are consecutive; 4: all are words of it; 5: some of them
 * in the plural. null: they are only parts of words.
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
  if (words.every((word) => all.has(word))) return { line, rank: 4 }
  return words.every((word) => all.has(word) || all.has(`${word}s`)) ? { line, rank: 5 } : null
}

function beginsWith(command: readonly string[], words: readonly string[]): boolean {
  return words.every((word, at) => command[at] === word)
}

/** The edits to search for. */
export interface EditQuery {
  /** File names; a path of the edit ends with one of them. */
  names: string[]
  /** Only later edits, in milliseconds since 1970. */
  afterMs: number
}

/** An edit that was made. */
export interface FoundEdit {
  sessionKey: string
  timeMs: number
  /** As written in the call. */
  paths: string[]
}

/** Edits of files with these names. Which of these files are meant is decided by the caller, from the project roots. */
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
    // escaped as in JSON
    ...names.map((name) => JSON.stringify(name).slice(1, -1)),
  )
  const edits: [string, number, string[]][] = JSON.parse(String(row?.edits ?? '[]'))
  return edits.map(([sessionKey, timeMs, paths]) => ({ sessionKey, timeMs, paths }))
}
