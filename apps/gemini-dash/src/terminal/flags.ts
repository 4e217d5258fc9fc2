export interface FlagDescription {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** Name of the value in help. */
  value?: string
  /** The only valid values, for completion; queries check them. */
  choices?: readonly string[]
  help: string
}

/** Every flag of every command, defined once: name, form and line of help. */
export const FLAGS = {
  home: {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'the Gemini folder: .gemini, the folder above it, or a copy; may be repeated',
  },
  file: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    help: 'open this session file, export, folder or zip instead of your history; may be repeated',
  },
  'cache-dir': { type: 'string', value: 'DIR', help: 'folder for the search index' },
  'data-dir': {
    type: 'string',
    value: 'DIR',
    help: 'folder for sign-ins, project names and the archive',
  },
  'no-cache': { type: 'boolean', help: 'write nothing; keep everything in memory' },
  'find-projects': {
    type: 'boolean',
    help: 'search your code folders for unknown projects',
  },
  demo: { type: 'boolean', help: 'use sample data' },
  json: { type: 'boolean', help: 'print JSON, as the HTTP API does' },
  plain: { type: 'boolean', help: 'print one row per line, fields separated by tabs' },
  all: { type: 'boolean', help: 'print the whole report' },
  help: { type: 'boolean', short: 'h', help: 'print this help' },

  project: { type: 'string', value: 'NAME', help: 'only this project: key, name, path or a part of one' },
  model: { type: 'string', value: 'NAME', help: 'only sessions that used this model' },
  tool: {
    type: 'string',
    value: 'NAME',
    help: 'only sessions that called this tool: its name in the files or on the page',
  },
  attachments: { type: 'boolean', help: 'only sessions with attached files or pictures' },
  source: {
    type: 'string',
    value: 'PROGRAM',
    choices: ['gemini-cli', 'antigravity-cli'],
    help: 'only sessions that this program recorded: gemini-cli or antigravity-cli',
  },
  kind: {
    type: 'string',
    value: 'KIND',
    choices: ['main', 'subagent', 'checkpoint', 'prompts-only', 'empty', 'all'],
    help: 'main (default), subagent, checkpoint (saved chats), prompts-only, empty (no messages) or all',
  },
  deleted: {
    type: 'string',
    value: 'WHICH',
    choices: ['include', 'only', 'exclude'],
    help: 'sessions that are only in the archive: include (default), only or exclude',
  },
  from: {
    type: 'string',
    value: 'TIME',
    help: 'a date or time: 2026-01-31, 7d (the last 7 days), 12h, yesterday',
  },
  to: { type: 'string', value: 'TIME', help: 'a date or time, not included' },
  tz: { type: 'string', value: 'ZONE', help: 'time zone of days and bare dates, e.g. Europe/Vienna' },
  sort: {
    type: 'string',
    value: 'ORDER',
    choices: [
      'recent',
      'oldest',
      'tokens',
      'cost',
      'messages',
      'turns',
      'tools',
      'failed',
      'duration',
      'relevance',
    ],
    help: 'the order of rows, see below',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: ['words', 'substring', 'regex'],
    help: 'words (default), substring or regex',
  },
  by: {
    type: 'string',
    value: 'WHAT',
    choices: ['day', 'week', 'month', 'hour-of-week', 'model', 'project', 'tool', 'session'],
    help: 'day (default), week (from its Monday), month, hour-of-week, model, project, tool or session',
  },
  split: {
    type: 'string',
    value: 'WHAT',
    choices: ['model', 'project'],
    help: 'with --by day, week or month: split by model or project',
  },
  shell: {
    type: 'string',
    value: 'SHELL',
    choices: ['posix', 'powershell'],
    help: 'posix or powershell; default: the shell of this system',
  },
  csv: { type: 'boolean', help: 'print CSV, as the usage page exports it' },
  depth: {
    type: 'string',
    value: 'DEPTH',
    choices: ['prompts', 'talk', 'thoughts', 'tools', 'all'],
    help: 'detail: prompts, talk, thoughts, tools or all',
  },
  query: { type: 'string', value: 'QUERY', help: 'only sessions that match QUERY' },
  format: {
    type: 'string',
    value: 'FORMAT',
    choices: ['markdown', 'html', 'json', 'jsonl', 'vac', 'raw', 'parquet'],
    help: 'markdown (default), html (one file, no scripts), json, jsonl, vac (IETF draft), raw (original files) or parquet (tables of all sessions)',
  },
  redact: {
    type: 'string',
    value: 'WHEN',
    choices: ['on', 'off'],
    help: 'redact secrets and personal data: on (default; json, jsonl and raw exports: off) or off',
  },
  out: { type: 'string', value: 'PATH', help: 'a file, a folder or X.zip; - (default) is stdout' },
  force: { type: 'boolean', help: 'replace existing files' },
  texts: { type: 'boolean', help: 'parquet: with titles, prompts, paths and commands' },
  machine: {
    type: 'string',
    value: 'LABEL',
    help: 'parquet: what to call this machine from now on (default: a random ID)',
  },
  cost: { type: 'boolean', help: 'why it cost what it did, instead of the conversation' },
  why: { type: 'boolean', help: 'why it cost that: the sessions or projects that make up 80%' },
  turn: { type: 'string', value: 'N', help: 'only turn N, numbered as on the page' },
  last: { type: 'string', value: 'N', help: 'only the last N turns' },
  changes: { type: 'boolean', help: 'print edits and commands by turn instead of messages' },
  limit: { type: 'string', short: 'n', value: 'N', help: 'limit: at most N rows' },
  cursor: { type: 'string', value: 'TEXT', help: 'continue after this cursor: the nextCursor of an answer' },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    help: 'for exact text and regex: stop after this time and print what was found (default 10)',
  },

  budget: { type: 'string', value: 'TOKENS', help: 'limit in tokens (default 20000)' },
  erase: { type: 'boolean', help: 'with off: also delete the archive' },
  yes: { type: 'boolean', help: 'delete without asking' },
  at: { type: 'string', value: 'TURN', help: 'the turn to continue from, numbered as on the page' },
  write: { type: 'boolean', help: 'write (default: dry run)' },
  undo: { type: 'boolean', help: 'undo a write by its ID' },
  session: {
    type: 'string',
    value: 'FILE',
    help: 'with now: scan only the session of this file',
  },
  quiet: { type: 'boolean', help: 'with now: print nothing, and do nothing if the archive is off' },
  'max-size': {
    type: 'string',
    value: 'SIZE',
    help: 'with on: maximum size of the archive: 500MB, 20GB (default 10GB), none',
  },
  'max-age': {
    type: 'string',
    value: 'DAYS',
    help: 'with on: skip sessions older than this: 365d, none (default)',
  },

  'cli-version': {
    type: 'string',
    value: 'VERSION',
    help: 'the Gemini CLI version to imitate (default: the newest known)',
  },

  port: { type: 'string', short: 'p', value: 'N', help: 'default 4747, or the next free port' },
  'strict-port': { type: 'boolean', help: 'fail if the port is in use' },
  host: { type: 'string', value: 'ADDR', help: 'address to listen on, default 127.0.0.1' },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'also answer at https://NAME, behind a proxy or port forwarding of yours; may be repeated',
  },
  'no-open': { type: 'boolean', help: 'do not open a browser' },
  'no-token': { type: 'boolean', help: 'no sign-in (any local user can read)' },
  'no-watch': { type: 'boolean', help: 'do not watch files for changes' },
  new: {
    type: 'boolean',
    help: 'start another server even if one is already running for this Gemini folder',
  },
} as const satisfies Record<string, FlagDescription>

export type FlagName = keyof typeof FLAGS

/** Values as typed; each command interprets them. */
export type Flags = {
  [Name in FlagName]?: (typeof FLAGS)[Name] extends { multiple: true }
    ? string[]
    : (typeof FLAGS)[Name] extends { type: 'boolean' }
      ? boolean
      : string
}

/** Its form in help and for commander: `-n, --limit <N>`. */
export function flagText(name: FlagName, described: FlagDescription = FLAGS[name]): string {
  const { short, value } = described
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`
}

/** The flag that an argument sets: `--limit`, `--limit=3`, `-n`. null if none. */
export function flagOf(arg: string): FlagName | null {
  const word = arg.split('=')[0] ?? ''
  const names = Object.keys(FLAGS) as FlagName[]
  return names.find((name) => word === `--${name}` || word === shortOf(name)) ?? null
}

function shortOf(name: FlagName): string | null {
  const { short }: FlagDescription = FLAGS[name]
  return short === undefined ? null : `-${short}`
}
