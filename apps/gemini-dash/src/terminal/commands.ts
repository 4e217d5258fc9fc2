import { NEVER_LOOKED_FOR, TAKEN_OUT } from '@gemini-dash/api/redaction-words'
import type { Terminal } from './cli-error.ts'
import { FLAGS, type FlagDescription, type FlagName, type Flags } from './flags.ts'

/** The query language in short: the same as in the search box of the page. */
const QUERY_HELP = `QUERY is words, all in one message; "a phrase"; -exclude; one OR another; begin*; (groups); and filters:
  project:webshop     sessions of a project     model:*flash*       sessions with a model
  tool:replace        a call of the tool        status:cancelled    the call's status
  file:src/*.ts       a file it touched         has:diff            or image, thoughts, data, saved
  in:prompt,answer    or thought, tool-args, tool-output, notice, attachment, title
  is:error            a failed call; or live, starred, subagent, superseded (rewound,
                      compressed or replaced)
  tag:proxy           one of your tags          note:idea           in your notes
  tokens:>50k         cost:>0.10                session:477739d0
  after:-7d           before:2026-01-31         or yesterday, monday
  source:antigravity-cli                        or gemini-cli
A comma means any of; a dash before a filter excludes. Within "quotes" a quote is written \\".
Quote the whole QUERY for the shell:
  gemini-dash search 'tool:run_shell_command is:error -npm'`

export interface CommandInput {
  flags: Flags
  positionals: string[]
  terminal: Terminal
}

export type RunCommand = (input: CommandInput) => Promise<void>

export interface Command {
  /** What follows the name in help: `KEY`, `[FOLDER]`. */
  arguments: string
  summary: string
  /** Paragraphs of help that do not belong to a flag. */
  notes?: string[]
  flags: FlagName[]
  /** Flags with a different meaning here. */
  ownFlags?: Partial<Record<FlagName, { value: string; help: string }>>
  maxPositionals: number
}

const WHERE: FlagName[] = ['home', 'demo', 'cache-dir', 'data-dir', 'no-cache', 'find-projects']
const ALWAYS: FlagName[] = ['json', 'help']
/** Accepted by every command that reads sessions. */
export const COMMON_FLAGS: readonly FlagName[] = [...WHERE, ...ALWAYS]
const LISTEN: FlagName[] = ['port', 'strict-port', 'host', 'allow-host', 'no-open', 'no-token']
const SPAN: FlagName[] = ['from', 'to', 'tz']

/** Actions of `keep`. */
export const KEEP_ACTIONS = ['on', 'off', 'status', 'now', 'add', 'repair'] as const

/** Actions of `marks`. */
export const MARK_ACTIONS = ['export', 'import'] as const

export const COMMANDS = {
  serve: {
    arguments: '[PATH]',
    summary: 'open the dashboard, on the project of a folder (default: the current one) or a session file',
    flags: [...LISTEN, 'no-watch', 'new', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  open: {
    arguments: 'PATH...',
    summary: 'open session files that are not in your history',
    notes: [
      'PATH is a session file, a saved or shared chat (/chat share, /bug), an export of gemini-dash (json, jsonl, raw), or a folder or zip of them. The files stay where they are. They are not in your history, not found by search, and not counted in usage; a copy is kept while the server runs:\n  gemini-dash open session.jsonl\n  gemini-dash show --file session.jsonl',
    ],
    flags: [...LISTEN, 'data-dir', ...ALWAYS],
    maxPositionals: Number.POSITIVE_INFINITY,
  },
  list: {
    arguments: '',
    summary: 'list sessions',
    notes: [
      'Orders: recent (default), oldest, tokens, cost, messages, turns, tools, failed, duration; prefix with - to reverse: --sort=-cost.',
    ],
    flags: [
      'project',
      'kind',
      'model',
      'tool',
      'attachments',
      'source',
      'deleted',
      ...SPAN,
      'sort',
      'limit',
      'cursor',
      'file',
      ...WHERE,
      'plain',
      ...ALWAYS,
    ],
    maxPositionals: 0,
  },
  projects: {
    arguments: '',
    summary: 'list projects',
    notes: [
      'The project with the latest activity first. Sessions without sub-agents; tokens and cost with them.',
    ],
    flags: ['project', 'limit', ...WHERE, 'plain', ...ALWAYS],
    ownFlags: { limit: { value: 'N', help: 'at most so many projects (default: all)' } },
    maxPositionals: 0,
  },
  show: {
    arguments: 'KEY',
    summary: 'print a session',
    notes: [
      'Without --depth: all messages, the subjects of thoughts, one line per tool call, and the line of a failed one that says most.',
      'With --changes: edits and commands by turn, with diffs; whether each edit is still in the last recorded content of its file; for a failed command, the edits since it last worked. Files changed by shell commands aren’t tracked.',
      'KEY is a session key, a session ID or the beginning of one. Use -- before a KEY that starts with -:\n  gemini-dash show -- -h',
    ],
    flags: ['project', 'depth', 'turn', 'last', 'changes', 'cost', 'file', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  handover: {
    arguments: 'KEY',
    summary: 'write a brief for another agent',
    notes: [
      'Prompts, what the person decided, the last list of tasks, open failures, changed files and what is left of the changes, saved memories, commands that worked, the last messages: the most important first, every quote from the log. The budget holds by the tokenizers of Gemini and of GPT (o200k); what was left out is printed on stderr.',
    ],
    flags: ['budget', 'redact', 'file', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  export: {
    arguments: '[KEY...]',
    summary: 'export sessions (secrets removed)',
    notes: [
      'One session goes to stdout, several to a folder or a zip:\n  gemini-dash export KEY > session.md\n  gemini-dash export --project webshop --out sessions.zip',
      'parquet writes sessions, messages, calls and spend of all sessions as tables into a folder, one file per month and machine; running it again writes only what changed:\n  gemini-dash export --format parquet --out tables',
      `${TAKEN_OUT} Pictures and attached files are exported by name only. json, jsonl and raw are not redacted unless --redact on is given.`,
      NEVER_LOOKED_FOR,
    ],
    flags: [
      'project',
      'query',
      'format',
      'depth',
      'redact',
      'out',
      'force',
      'texts',
      'machine',
      'file',
      ...WHERE,
      ...ALWAYS,
    ],
    maxPositionals: Number.POSITIVE_INFINITY,
  },
  mcp: {
    arguments: '',
    summary: 'run an MCP server (stdio)',
    notes: [
      'Tools: search_sessions, list_sessions, get_handover, get_session, get_messages, get_usage; resources: gemini-dash://session/KEY. All are read-only. Answers are limited in size, continue with a cursor, and are redacted. The server stops when stdin closes.',
    ],
    flags: ['redact', ...WHERE, ...ALWAYS],
    maxPositionals: 0,
  },
  resume: {
    arguments: 'KEY',
    summary: 'print the command to resume a session',
    notes: [
      'Prints the command, quoted for the shell, and warnings on stderr. It starts nothing:\n  eval "$(gemini-dash resume KEY)"',
    ],
    flags: ['shell', 'file', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  search: {
    arguments: 'QUERY',
    summary: 'search prompts, answers, thoughts and tool output',
    notes: [
      QUERY_HELP,
      'Orders: relevance (default): titles, then what you or the model said, thoughts, commands, output; of equal ones the newest. recent: newest first.',
    ],
    flags: [
      'mode',
      'sort',
      'limit',
      'cursor',
      'timeout',
      'project',
      'model',
      ...SPAN,
      ...WHERE,
      'plain',
      ...ALWAYS,
    ],
    ownFlags: { limit: { value: 'N', help: 'at most N results, of any number of sessions (default: 50)' } },
    maxPositionals: Number.POSITIVE_INFINITY,
  },
  usage: {
    arguments: '',
    summary: 'tokens and cost',
    notes: ['Without --by: what it cost, why, and by type of token. With --by: a table.'],
    flags: ['by', 'split', 'why', ...SPAN, 'project', 'csv', 'file', ...WHERE, 'plain', ...ALWAYS],
    maxPositionals: 0,
  },
  doctor: {
    arguments: '',
    summary: 'check files: unreadable, unknown, about to be deleted',
    notes: [
      'Exits with 0 if everything was read, with 1 if a file or part of one was not, or if it has fields that this version does not know. The report is printed in both cases; --all prints everything.',
    ],
    flags: ['all', ...WHERE, ...ALWAYS],
    maxPositionals: 0,
  },
  keep: {
    arguments: 'on|off|status|now|add PATH...|repair',
    summary: 'archive sessions before Gemini CLI deletes them',
    notes: [
      'on       archive every version of every session from now on, starting with a scan\noff      stop archiving; with --erase also delete the archive, after confirmation\nstatus   what is archived, and where (default)\nnow      scan all sessions now\nadd      archive a copy of session files that are not in your history\nrepair   repair a damaged archive, also from files in the Gemini folder, and list what is lost',
      'Archived sessions are never removed automatically: at its size limit the archive stops adding and says so. The Gemini folder is never changed.',
      'status exits with 1 if the archive is damaged, repair if it finds new losses.',
    ],
    flags: ['erase', 'yes', 'max-size', 'max-age', 'session', 'quiet', ...WHERE, ...ALWAYS],
    maxPositionals: Number.POSITIVE_INFINITY,
  },
  forget: {
    arguments: 'KEY',
    summary: 'delete a session from gemini-dash',
    notes: [
      'Asks for confirmation (or --yes). Files in the Gemini folder stay; a salted hash prevents archiving them again.',
    ],
    flags: ['yes', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  recover: {
    arguments: 'KEY',
    summary: 'restore a deleted session for Gemini CLI',
    notes: [
      'Prints what it would write into the Gemini folder; --write writes it. It only creates new files, checks them, and removes them if the check fails. Each write is logged in the data folder:\n  gemini-dash recover KEY\n  gemini-dash recover KEY --write\n  gemini-dash recover --undo ID',
    ],
    flags: ['write', 'undo', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  fork: {
    arguments: 'KEY',
    summary: 'continue a session from an earlier turn',
    notes: [
      'Prints what it would write: a new session that ends before turn TURN, for gemini --resume. --write writes it, as a new file; the original stays unchanged:\n  gemini-dash show KEY --depth prompts\n  gemini-dash fork KEY --at 5 --write\n  gemini-dash fork --undo ID',
    ],
    flags: ['at', 'write', 'undo', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  move: {
    arguments: '[KEY]',
    summary: 'move sessions to a renamed project',
    notes: [
      'Without --to it lists likely folders and why: the same git remote, the files that the sessions touched, the end of the path. With --to it prints what it would write; --write writes copies into the folder that Gemini CLI made for DIR. The originals stay; copy and original appear as one session of the new project:\n  gemini-dash move --project webshop\n  gemini-dash move --project webshop --to ~/code/shop\n  gemini-dash move KEY --to ~/code/shop --write\n  gemini-dash move --undo ID',
    ],
    flags: ['project', 'to', 'write', 'undo', ...WHERE, ...ALWAYS],
    ownFlags: {
      project: { value: 'NAME', help: 'all sessions of this project: key, name, path or a part of one' },
      to: { value: 'DIR', help: 'the new project folder' },
    },
    maxPositionals: 1,
  },
  marks: {
    arguments: 'export|import FILE',
    summary: 'export or import stars, notes and tags',
    notes: [
      'export   write them to a new file\nimport   merge such a file; the newer entry wins, nothing is removed',
    ],
    flags: ['home', 'demo', 'cache-dir', 'data-dir', ...ALWAYS],
    maxPositionals: 2,
  },
  testbed: {
    arguments: 'OUT',
    summary: 'create a sample Gemini folder for testing',
    notes: [
      'OUT is a new or empty folder outside any Gemini folder. It gets .gemini and the project folders; the last line printed is a command that lists sessions with Gemini CLI there.',
      'Short, long, cleared, resumed, refused and non-Latin sessions, sub-agents, duplicates, saved chats and prompts, in folders named by hash and by slug, as far as the version has them. The same OUT and version give the same bytes. Session cleanup is off in its settings.json.',
      'Versions with a change of the file format: 0.4.1, 0.11.3, 0.25.2, 0.30.1, 0.38.2, 0.42.0, 0.61.0.',
    ],
    flags: ['cli-version', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  url: {
    arguments: '',
    summary: 'print a new sign-in link',
    flags: ['home', 'demo', 'cache-dir', 'data-dir', ...ALWAYS],
    maxPositionals: 0,
  },
  completion: {
    arguments: 'SHELL',
    summary: 'shell completion script for bash, zsh, fish or powershell',
    notes: [
      'The scripts for bash, zsh and fish also offer names of projects and the keys of sessions in the 500 files written last. They ask for them, a line each, with the words typed so far:\n  gemini-dash completion keys -- show --home DIR\n  gemini-dash completion projects\nThis reads names and first lines of files alone, starts no server and writes nothing.',
    ],
    flags: ['help'],
    maxPositionals: Number.POSITIVE_INFINITY,
  },
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof COMMANDS

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

/** The flag as described for this command. */
export function describeFlag(name: CommandName, flag: FlagName): FlagDescription {
  const { ownFlags = {} }: Command = COMMANDS[name]
  return { ...FLAGS[flag], ...ownFlags[flag] }
}

export function isCommandName(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(COMMANDS, word)
}
