export interface FlagDescription {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** Name of the value in help. */
  value?: string
  /** The only values that there are, for completion; queries check them. */
  choices?: readonly string[]
  help: string
}

/** Every flag of every command, once: name, form and its line of help. */
export const FLAGS = {
  home: {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'a Gemini home: the folder above .gemini, .gemini itself or a copy; may be repeated',
  },
  'cache-dir': { type: 'string', value: 'DIR', help: 'where the search index is kept' },
  'data-dir': {
    type: 'string',
    value: 'DIR',
    help: 'where sign-ins of browsers, names of projects and the archive are kept',
  },
  'no-cache': { type: 'boolean', help: 'write nothing at all, keep everything in memory' },
  'find-projects': {
    type: 'boolean',
    help: 'look in your folders of code for projects that are known by a hash only',
  },
  demo: { type: 'boolean', help: 'the sample sessions inside the package' },
  json: { type: 'boolean', help: 'print JSON, the same as the HTTP API' },
  plain: { type: 'boolean', help: 'print a line a row, with tabs between its fields' },
  help: { type: 'boolean', short: 'h', help: 'print this' },

  project: { type: 'string', value: 'NAME', help: 'only this project: key, name, path or a part of one' },
  model: { type: 'string', value: 'NAME', help: 'only sessions that used this model' },
  kind: {
    type: 'string',
    value: 'KIND',
    choices: ['main', 'subagent', 'checkpoint', 'prompts-only', 'empty', 'all'],
    help: 'main (default), subagent, checkpoint (saved chats), prompts-only, empty (nothing was said) or all',
  },
  deleted: {
    type: 'string',
    value: 'WHICH',
    choices: ['include', 'only', 'exclude'],
    help: 'sessions that are left in the archive alone: include (default), only or exclude',
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
    choices: ['day', 'hour-of-week', 'model', 'project', 'tool', 'session'],
    help: 'day (default), hour-of-week, model, project, tool or session',
  },
  split: {
    type: 'string',
    value: 'WHAT',
    choices: ['model', 'project'],
    help: 'with --by day: each day by model or by project',
  },
  shell: {
    type: 'string',
    value: 'SHELL',
    choices: ['posix', 'powershell'],
    help: 'posix or powershell; default: that of this system',
  },
  csv: { type: 'boolean', help: 'print CSV, the same as the file that the usage page offers' },
  depth: {
    type: 'string',
    value: 'DEPTH',
    choices: ['prompts', 'talk', 'thoughts', 'tools', 'all'],
    help: 'how much is told: prompts, talk, thoughts, tools (with what they gave) or all',
  },
  query: { type: 'string', value: 'QUERY', help: 'the sessions that a search for QUERY finds' },
  format: {
    type: 'string',
    value: 'FORMAT',
    choices: ['markdown', 'html', 'json', 'jsonl', 'csv', 'vac', 'raw'],
    help: 'markdown (default), html (one file, without a script), json, jsonl, csv (calls), vac (IETF record) or raw (the files)',
  },
  redact: {
    type: 'string',
    value: 'WHEN',
    choices: ['on', 'off'],
    help: 'take out secrets and what names you: on (default; exports of json, jsonl and raw: off) or off',
  },
  out: { type: 'string', value: 'PATH', help: 'a file, a folder or X.zip; - (default) is stdout' },
  force: { type: 'boolean', help: 'replace the files that are written, where they are there' },
  turn: { type: 'string', value: 'N', help: 'only turn N, as the page counts them' },
  last: { type: 'string', value: 'N', help: 'only the last N turns' },
  limit: { type: 'string', short: 'n', value: 'N', help: 'at most N rows' },
  cursor: { type: 'string', value: 'TEXT', help: 'go on behind an answer: its nextCursor' },
  timeout: { type: 'string', value: 'SECONDS', help: 'search files for so long at most (default 10)' },

  budget: { type: 'string', value: 'TOKENS', help: 'at most so many tokens (default 20000)' },
  erase: { type: 'boolean', help: 'with off: erase what was kept, too' },
  yes: { type: 'boolean', help: 'do not ask before something is erased' },
  write: { type: 'boolean', help: 'write what is told; without it nothing is written' },
  undo: { type: 'boolean', help: 'remove again what was written, by the id that was told then' },
  'max-size': {
    type: 'string',
    value: 'SIZE',
    help: 'with on: what the archive may take on disk: 500MB, 20GB (default 10GB), none',
  },
  'max-age': {
    type: 'string',
    value: 'DAYS',
    help: 'with on: leave out what was last written longer ago: 365d, none (default)',
  },

  'cli-version': {
    type: 'string',
    value: 'VERSION',
    help: 'the version of Gemini CLI whose files are written (default: the newest known)',
  },

  port: { type: 'string', short: 'p', value: 'N', help: 'default 4747, the next free one if it is taken' },
  'strict-port': { type: 'boolean', help: 'fail if the port is taken' },
  host: { type: 'string', value: 'ADDR', help: 'address to listen on, default 127.0.0.1' },
  'no-open': { type: 'boolean', help: 'do not open a browser' },
  'no-token': { type: 'boolean', help: 'let every user of this machine read, without signing in' },
  'no-watch': { type: 'boolean', help: 'do not follow changes on disk' },
  new: { type: 'boolean', help: 'start another server even if one is running for this home' },
} as const satisfies Record<string, FlagDescription>

export type FlagName = keyof typeof FLAGS

/** Values as they were typed; each command gives them their meaning. */
export type Flags = {
  [Name in FlagName]?: (typeof FLAGS)[Name] extends { multiple: true }
    ? string[]
    : (typeof FLAGS)[Name] extends { type: 'boolean' }
      ? boolean
      : string
}

/** How it stands in help and in what commander is told: `-n, --limit <N>`. */
export function flagText(name: FlagName, described: FlagDescription = FLAGS[name]): string {
  const { short, value } = described
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`
}

/** Of which flag such an argument is: `--limit`, `--limit=3`, `-n`. */
export function flagOf(arg: string): FlagName | null {
  const word = arg.split('=')[0] ?? ''
  const names = Object.keys(FLAGS) as FlagName[]
  return names.find((name) => word === `--${name}` || word === shortOf(name)) ?? null
}

function shortOf(name: FlagName): string | null {
  const { short }: FlagDescription = FLAGS[name]
  return short === undefined ? null : `-${short}`
}
