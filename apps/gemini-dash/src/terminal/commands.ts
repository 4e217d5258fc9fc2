import { FLAGS, type FlagDescription, type FlagName, type Flags } from './flags.ts'
import type { Terminal } from './terminal.ts'

/** The query language in short: the same as in the search box of the page. */
const QUERY_HELP = `QUERY is words, all of them within one message; "a phrase"; -without; one OR another; begin*; (groups); and filters:
  project:webshop     sessions of a project     model:*flash*       sessions with a model
  tool:replace        a call of the tool        status:cancelled    how the call ended
  file:src/*.ts       a path that it touched    has:diff            or image, thoughts
  in:prompt,answer    or thought, tool-args, tool-output, notice, attachment, title
  is:error            a failed call; or live, starred, subagent, superseded (taken back,
                      summarised or replaced)
  tag:proxy           a tag that you gave       note:idea           in your notes
  tokens:>50k         cost:>0.10                session:477739d0
  after:-7d           before:2026-01-31         or yesterday, monday
A comma means one of; a dash before a filter takes away. Within "quotes" a quote is written \\".
Quote the whole QUERY for the shell:
  gemini-dash search 'tool:run_shell_command is:error -npm'`

export interface CommandInput {
  flags: Flags
  positionals: string[]
  terminal: Terminal
}

export type RunCommand = (input: CommandInput) => Promise<void>

export interface Command {
  /** What stands behind its name in help: `KEY`, `[FOLDER]`. */
  arguments: string
  summary: string
  /** Paragraphs of help that flags cannot say. */
  notes?: string[]
  flags: FlagName[]
  /** Flags that mean something else here. */
  ownFlags?: Partial<Record<FlagName, { value: string; help: string }>>
  maxPositionals: number
}

const WHERE: FlagName[] = ['home', 'demo', 'cache-dir', 'data-dir', 'no-cache', 'find-projects']
const ALWAYS: FlagName[] = ['json', 'help']
const SPAN: FlagName[] = ['from', 'to', 'tz']

/** What can be said behind `keep`. */
export const KEEP_ACTIONS = ['on', 'off', 'status', 'now', 'schedule'] as const

/** What can be said behind `marks`. */
export const MARK_ACTIONS = ['export', 'import'] as const

export const COMMANDS = {
  serve: {
    arguments: '[FOLDER]',
    summary: 'open the dashboard, on the project of FOLDER or of this folder if it is known',
    flags: ['port', 'strict-port', 'host', 'no-open', 'no-token', 'no-watch', 'new', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  list: {
    arguments: '',
    summary: 'all sessions of all projects',
    notes: [
      'Orders: recent (default), oldest, tokens, cost, messages, turns, tools, failed, duration; turned around with a dash: --sort=-cost.',
    ],
    flags: [
      'project',
      'kind',
      'model',
      'deleted',
      ...SPAN,
      'sort',
      'limit',
      'cursor',
      ...WHERE,
      'plain',
      ...ALWAYS,
    ],
    maxPositionals: 0,
  },
  show: {
    arguments: 'KEY',
    summary: 'one conversation',
    notes: [
      'Without --depth: all that was said, thoughts by their subjects, a line for each call of a tool.',
      'KEY is a session key, a session id or the beginning of one. One that is an option, too, stands behind two dashes:\n  gemini-dash show -- -h',
    ],
    flags: ['project', 'depth', 'turn', 'last', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  handover: {
    arguments: 'KEY',
    summary: 'what another agent needs to go on with a session, within a budget',
    notes: [
      'Prompts, files changed and what still stands of them, open errors, commands that worked, the last exchanges: the most telling first, every line from the record. Tokens are estimated as UTF-8 bytes / 4; what was left out is told on stderr.',
    ],
    flags: ['budget', 'redact', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  export: {
    arguments: '[KEY...]',
    summary: 'sessions to take along: readable, or for other programs; secrets are taken out',
    notes: [
      'One session goes to stdout, several to a folder or a zip:\n  gemini-dash export KEY > session.md\n  gemini-dash export --project webshop --out sessions.zip',
      'Redacted are secrets, home folders, names of user and computer in paths and addresses, and e-mail addresses; pictures and attached files leave by their names. json, jsonl and raw are what the files hold, unless --redact on says otherwise.',
    ],
    flags: ['project', 'query', 'format', 'depth', 'redact', 'out', 'force', ...WHERE, ...ALWAYS],
    maxPositionals: Number.POSITIVE_INFINITY,
  },
  mcp: {
    arguments: '',
    summary: 'your sessions as tools of an agent: an MCP server on stdin and stdout',
    notes: [
      'Tools: search_sessions, list_sessions, get_session, get_messages, get_usage; resources: gemini-dash://session/KEY. All of them only read. Answers are bounded, go on with a cursor, and are redacted. It ends with stdin.',
    ],
    flags: ['redact', ...WHERE, ...ALWAYS],
    maxPositionals: 0,
  },
  resume: {
    arguments: 'KEY',
    summary: 'the command with which Gemini CLI goes on with a session',
    notes: [
      'Prints the command, quoted for the shell, and what speaks against it on stderr. Nothing is started:\n  eval "$(gemini-dash resume KEY)"',
    ],
    flags: ['shell', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  search: {
    arguments: 'QUERY',
    summary: 'where words stand in prompts, answers, thoughts and tool output',
    notes: [QUERY_HELP, 'Orders: recent (default), relevance.'],
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
    maxPositionals: Number.POSITIVE_INFINITY,
  },
  usage: {
    arguments: '',
    summary: 'tokens and cost',
    flags: ['by', 'split', ...SPAN, 'project', 'csv', ...WHERE, 'plain', ...ALWAYS],
    maxPositionals: 0,
  },
  doctor: {
    arguments: '',
    summary: 'what was found, what could not be read, what will be deleted soon',
    notes: [
      'Ends with 0 if everything was read and understood, with 1 if a file or a part of one was not, or if something in it is new to this version. The report is printed in both cases.',
    ],
    flags: [...WHERE, ...ALWAYS],
    maxPositionals: 0,
  },
  keep: {
    arguments: 'on|off|status|now|schedule',
    summary: 'an archive of your own of everything that Gemini CLI deletes',
    notes: [
      'on       keep every version of every session from now on, and look at all of them at once\noff      keep no more; with --erase also erase what was kept, which is asked twice\nstatus   what is kept, and where (also without a word)\nnow      look at all sessions at once\nschedule lines for cron, systemd and launchd; they are only printed',
      'What the archive holds is never dropped by itself: at its limit of size it takes in no more, and says so. Nothing in a Gemini home is ever touched.',
    ],
    flags: ['erase', 'yes', 'max-size', 'max-age', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  forget: {
    arguments: 'KEY',
    summary: 'erase a session from the archive, the index and your marks',
    notes: [
      'Asked twice; without a terminal it wants --yes. What of it is in a Gemini home is named and left alone, and never kept again: what is remembered for that is a salted hash.',
    ],
    flags: ['yes', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  recover: {
    arguments: 'KEY',
    summary: 'bring a deleted session back to where Gemini CLI finds it',
    notes: [
      'Tells what it would write into the home, and writes nothing; with --write it does. It only makes new files, reads them back, and removes them again where that fails. Each write stands in a journal of the data folder:\n  gemini-dash recover KEY\n  gemini-dash recover KEY --write\n  gemini-dash recover --undo ID',
    ],
    flags: ['write', 'undo', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  move: {
    arguments: '[KEY]',
    summary: 'have sessions found in the folder that their project moved to',
    notes: [
      'Without --to it says which folders are likely, and why: the same git remote, the files that the sessions touched, the end of the path. With --to it tells what it would write, and with --write it writes: copies in the folder that Gemini CLI made for DIR; what is there stays. Copy and origin are shown as one session of the new project:\n  gemini-dash move --project webshop\n  gemini-dash move --project webshop --to ~/code/shop\n  gemini-dash move KEY --to ~/code/shop --write\n  gemini-dash move --undo ID',
    ],
    flags: ['project', 'to', 'write', 'undo', ...WHERE, ...ALWAYS],
    ownFlags: {
      project: { value: 'NAME', help: 'all sessions of this project: key, name, path or a part of one' },
      to: { value: 'DIR', help: 'the folder in which the project lies now' },
    },
    maxPositionals: 1,
  },
  marks: {
    arguments: 'export|import FILE',
    summary: 'your stars, notes, tags, titles and views, to be taken along',
    notes: [
      'export   write all of them into a new file\nimport   take in such a file: of what both know, what was said last holds; nothing is lost',
    ],
    flags: ['home', 'demo', 'cache-dir', 'data-dir', ...ALWAYS],
    maxPositionals: 2,
  },
  testbed: {
    arguments: 'OUT',
    summary: 'a home as Gemini CLI writes it, with one session of every form, to try tools on',
    notes: [
      'OUT is a folder that is not there yet or empty, and in no Gemini home. Below it: .gemini, and the folders of its projects, so that the CLI can be started there:\n  gemini-dash testbed OUT && cd OUT/projects/webshop && GEMINI_CLI_HOME=OUT gemini --list-sessions',
      'Short, full, cleared, resumed (with the stub that it leaves), refused and odd-lettered sessions, sub-agents, twins, saved chats and typed lines, in folders named by hash and by slug, as far as the version knows them. The same OUT and version give the same bytes. Nothing is deleted there: the clean-up of sessions is off in its settings.json.',
      'Versions, each for the files that it and those after it write: 0.4.1, 0.11.3, 0.25.2, 0.30.1, 0.38.2, 0.42.0, 0.61.0.',
    ],
    flags: ['cli-version', ...WHERE, ...ALWAYS],
    maxPositionals: 1,
  },
  url: {
    arguments: '',
    summary: 'a fresh address of the running dashboard, for one more browser',
    flags: ['home', 'demo', 'cache-dir', 'data-dir', ...ALWAYS],
    maxPositionals: 0,
  },
  completion: {
    arguments: 'SHELL',
    summary: 'a script that completes commands and options, for bash, zsh, fish or powershell',
    flags: ['help'],
    maxPositionals: 1,
  },
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof COMMANDS

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

/** As this command means it. */
export function describeFlag(name: CommandName, flag: FlagName): FlagDescription {
  const { ownFlags = {} }: Command = COMMANDS[name]
  return { ...FLAGS[flag], ...ownFlags[flag] }
}

export function isCommandName(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(COMMANDS, word)
}
