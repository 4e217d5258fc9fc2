import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CommanderError } from 'commander'
import { tellFailure } from '../environment/open-warnings.ts'
import { startIndexThreadsAlone } from '../environment/own-folder.ts'
import { ignoreRelativeFolders } from '../environment/user-folders.ts'
import { escapeJson } from '../print/escape-controls.ts'
import { CliError, openTerminal, type Terminal } from '../terminal/cli-error.ts'
import {
  COMMAND_NAMES,
  COMMANDS,
  type Command,
  type CommandInput,
  type CommandName,
  isCommandName,
  type RunCommand,
} from '../terminal/commands.ts'
import { FLAGS, type FlagName, type Flags, flagOf } from '../terminal/flags.ts'
import { commandTree, commonOptions } from './command-tree.ts'

/** Each command's program, imported only when the command runs. */
const PROGRAMS: Record<CommandName, () => Promise<RunCommand>> = {
  serve: async () => (await import('./serve-in-thread.ts')).serveInThread,
  open: async () => (await import('./serve-in-thread.ts')).serveInThread,
  list: async () => (await import('../commands/list.ts')).list,
  projects: async () => (await import('../commands/projects.ts')).projects,
  show: async () => (await import('../commands/show.ts')).show,
  handover: async () => (await import('../commands/handover.ts')).handover,
  export: async () => (await import('../commands/export.ts')).exportSessions,
  mcp: async () => (await import('../mcp/mcp.ts')).mcp,
  resume: async () => (await import('../commands/resume.ts')).resume,
  search: async () => (await import('../commands/search.ts')).search,
  usage: async () => (await import('../commands/usage.ts')).usage,
  doctor: async () => (await import('../commands/doctor.ts')).doctor,
  marks: async () => (await import('../commands/marks.ts')).marks,
  forget: async () => (await import('../commands/forget.ts')).forget,
  recover: async () => (await import('../commands/recover.ts')).recover,
  fork: async () => (await import('../commands/fork.ts')).fork,
  move: async () => (await import('../commands/move.ts')).move,
  keep: async () => (await import('../commands/keep.ts')).keep,
  testbed: async () => (await import('../commands/testbed.ts')).testbed,
  url: async () => (await import('../commands/url.ts')).url,
  completion: async () => (await import('../commands/completion.ts')).completion,
}

/** Commands that nearly always open the index. */
const ASKS_INDEX: ReadonlySet<CommandName> = new Set([
  'list',
  'projects',
  'show',
  'search',
  'usage',
  'doctor',
])

/** Wider lines of help are hard to read. */
const MAX_HELP_COLUMNS = 100

/** Runs one command and ends the process with its exit code: 0 on success, else that of the `CliError`. */
export async function runCommandLine(args: string[]): Promise<void> {
  ignoreRelativeFolders(process.env)
  const terminal = openTerminal()
  const end = (error: unknown) => process.exit(tellFailure(error, terminal))
  process.on('unhandledRejection', end)
  process.on('uncaughtException', end)
  // The command waits for something that will never happen. Node.js would exit silently with 0.
  process.on('beforeExit', () => end(new Error('nothing is left that could bring its answer')))

  try {
    await run(args, terminal)
    process.exit(0)
  } catch (error) {
    end(error)
  }
}

async function run(args: string[], terminal: Terminal): Promise<void> {
  const columns = Math.min(terminal.columns ?? MAX_HELP_COLUMNS, MAX_HELP_COLUMNS)
  const line = parseCommandLine(args, columns)
  if (line.kind === 'print') return terminal.write(line.text)
  const { name, flags, positionals } = line
  if (ASKS_INDEX.has(name) && flags.file === undefined) await startIndexThreadsAlone(flags)
  const command = await loadCommand(name)
  const input = { flags, positionals, terminal: flags.json ? forJson(terminal) : terminal }
  if (!(await opensFiles(name, input))) return command(input)
  const { runOnOpened } = await import('./run-on-opened.ts')
  await runOnOpened(name, input, command)
}

/** Whether the command is about named files instead of the sessions of a Gemini folder. */
async function opensFiles(name: CommandName, { flags, positionals: [path] }: CommandInput): Promise<boolean> {
  if (name === 'open' || flags.file !== undefined) return true
  if (name !== 'serve' || path === undefined) return false
  const { isSessionPlace } = await import('../environment/session-file-hint.ts')
  return isSessionPlace(path)
}

/** JSON for programs is printed unchanged; on a terminal its control characters must be escaped. */
function forJson(terminal: Terminal): Terminal {
  if (terminal.columns === null) return terminal
  return { ...terminal, write: (text) => terminal.write(typeof text === 'string' ? escapeJson(text) : text) }
}

function loadCommand(name: CommandName): Promise<RunCommand> {
  return PROGRAMS[name]()
}

/** What a command line requests: to run a command, or to print a text (help, the version). */
export type CommandLine =
  | { kind: 'run'; name: CommandName; flags: Flags; positionals: string[] }
  | { kind: 'print'; text: string }

/** The command may come before or after its flags; the default is `serve`. `columns`: width of help. */
export function parseCommandLine(args: string[], columns = 100): CommandLine {
  if (args.length === 2 && args[0] === 'help' && args[1] === 'options')
    return { kind: 'print', text: commonOptions(columns) }
  const words = inOrder(args)
  const line = readWords(words, columns)
  if (!(line instanceof CommanderError)) return checked(line)
  const withKey = withDashedKey(words, line)
  const again = withKey === null ? line : readWords(withKey, columns)
  if (again instanceof CommanderError) throw refusal(line, words)
  return checked(again)
}

function readWords(words: string[], columns: number): CommandLine | CommanderError {
  let text = ''
  let line: CommandLine | undefined
  const { program } = commandTree(
    columns,
    (part) => {
      text += part
    },
    (name, flags, positionals) => {
      line = { kind: 'run', name, flags, positionals }
    },
  )
  try {
    program.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) return error
  }
  return line ?? { kind: 'print', text }
}

/** Flags that need no command and work with any. */
const ABOUT = ['-h', '--help', '-V', '--version']

/** The command first, and words that look like options but are not last. */
function inOrder(args: string[]): string[] {
  if (args.length === 1 && args[0] === '-v') return ['--version']
  const { tokens } = parseArgs({ args, options: FLAGS, allowPositionals: true, strict: false, tokens: true })
  const first = tokens.find((token) => token.kind === 'positional')
  if (first === undefined) return isAboutAll(args) ? args : ['serve', ...args]
  const others = args.toSpliced(first.index, 1)
  if (first.value === 'help') return forHelp(others)
  if (isCommandName(first.value)) return [first.value, ...withDashedLast(first.value, others)]
  // A word that is not a command is a folder or a file, if it can be one; otherwise commander suggests a command.
  return isPlace(first.value) ? ['serve', ...args] : [first.value]
}

/** Help for an unknown command fails like that command itself. */
function forHelp(topics: string[]): string[] {
  const [topic] = topics
  return topic === undefined || isCommandName(topic) ? ['help', ...topics] : [topic]
}

function isAboutAll(args: string[]): boolean {
  return args.length === 1 && ABOUT.includes(args[0] ?? '')
}

function isPlace(word: string): boolean {
  return /[\\/]|^\.|^~/.test(word) || statSync(word, { throwIfNoEntry: false }) !== undefined
}

/**
 * A word that begins with one dash and is not an option is a KEY, if the command accepts another one and the word is not an option that
 * lacks a dash (`-json`), or a word of a query. A real option always stays an option.
 */
function withDashedLast(name: CommandName, args: string[]): string[] {
  const { maxPositionals }: Command = COMMANDS[name]
  const { free, behind } = freeWords(name, args)
  const plain = free.filter(({ arg }) => !arg.startsWith('-')).length + behind.length
  if (name !== 'search' && (!takesKey(name) || plain >= maxPositionals)) return args
  const dashed = free.filter(
    ({ arg }) =>
      /^-[^-]/.test(arg) && !isOption(name, arg) && (name === 'search' || flagOf(`-${arg}`) === null),
  )
  return movedLast(
    args,
    dashed.map(({ place }) => place),
  )
}

/** A word that begins with two dashes is a mistyped option, unless it resembles none and nothing else can be the KEY. */
function withDashedKey([name = '', ...args]: string[], { code, message }: CommanderError): string[] | null {
  const isUnlikeAny = code === 'commander.unknownOption' && !message.includes('\n')
  if (!isUnlikeAny || !isCommandName(name) || !takesKey(name)) return null
  const { free, behind } = freeWords(name, args)
  const words = free.filter(({ arg }) => !arg.startsWith('-') || !isOption(name, arg))
  const [word, ...others] = words
  if (word === undefined || others.length + behind.length > 0) return null
  // an option that lacks a dash
  if (flagOf(`-${word.arg}`) !== null) return null
  return [name, ...movedLast(args, [word.place])]
}

function takesKey(name: CommandName): boolean {
  return COMMANDS[name].arguments.includes('KEY')
}

interface FreeWords {
  /** Words that are not the value of an option. */
  free: { arg: string; place: number }[]
  /** Words after `--`, which are not options. */
  behind: string[]
}

function freeWords(name: CommandName, args: string[]): FreeWords {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end).map((arg, place) => ({ arg, place }))
  return {
    free: before.filter(({ place }) => !takesValue(name, args[place - 1])),
    behind: args.slice(end + 1),
  }
}

function movedLast(args: string[], places: readonly number[]): string[] {
  if (places.length === 0) return args
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const staying = args.slice(0, end).filter((_, place) => !places.includes(place))
  return [...staying, '--', ...places.map((place) => args[place] ?? ''), ...args.slice(end + 1)]
}

/** Long options of all commands, so that one of another command is refused by name; short ones only of this command. */
function isOption(name: CommandName, arg: string): boolean {
  if (ABOUT.includes(arg)) return true
  const flag = flagOf(arg)
  const { flags }: Command = COMMANDS[name]
  return flag !== null && (arg.startsWith('--') || flags.includes(flag))
}

function takesValue(name: CommandName, arg = ''): boolean {
  const flag = arg.includes('=') || !isOption(name, arg) ? null : flagOf(arg)
  return flag !== null && FLAGS[flag].type === 'string'
}

function checked(line: CommandLine): CommandLine {
  if (line.kind === 'print') return line
  const { maxPositionals }: Command = COMMANDS[line.name]
  const extra = line.positionals[maxPositionals]
  if (extra !== undefined)
    throw new CliError(2, `Unexpected argument: "${extra}".`, fileHint(extra) ?? usageHint(line.name))
  return line
}

/** A session file cannot be passed as this argument. null if the word is not a file. */
function fileHint(word: string): string | null {
  const isFile = statSync(word, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? `To read a session file, add --file: --file ${word}` : null
}

/** Rephrases commander's errors in this program's own words. */
function refusal({ code, message }: CommanderError, words: string[]): CliError {
  const [reason = '', meant] = message.replace(/^error: /, '').split('\n')
  const what = /'(.*?)'/.exec(reason)?.[1] ?? ''
  const guess = meant === undefined ? '' : ` ${meant.replace(/^\(|\)$/g, '')}`
  const name = isCommandName(words[0]) ? words[0] : null
  const hint = name === null ? '"gemini-dash help" lists the commands.' : usageHint(name)
  switch (code) {
    case 'commander.unknownCommand':
      return new CliError(
        2,
        `There is no command "${what}", and no such folder.${guess}`,
        `${hint} To open a folder that no longer exists: gemini-dash serve ${what}`,
      )
    case 'commander.unknownOption':
      return new CliError(2, `${unknownOption(what)}${guess}`, `${hint}${keyHint(name, words)}`)
    case 'commander.optionMissingArgument':
      return new CliError(2, `The option ${what} needs a value.`, `${hint}${keyHint(name, words)}`)
    default:
      return new CliError(2, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`, hint)
  }
}

function unknownOption(option: string): string {
  const flag = flagOf(option)
  if (flag === null) return `Unknown option ${option}.`
  if (option.includes('=')) return `The option --${flag} takes no value (${option}).`
  return `The option ${option} belongs to ${ownersOf(flag).join(', ')}.`
}

function ownersOf(flag: FlagName): CommandName[] {
  return COMMAND_NAMES.filter((name) => (COMMANDS[name].flags as FlagName[]).includes(flag))
}

function usageHint(name: CommandName): string {
  const usage = `gemini-dash ${name} ${COMMANDS[name].arguments}`.trimEnd()
  return `Usage: ${usage} - "gemini-dash ${name} -h" lists the options.`
}

/** A key can look like an option. */
function keyHint(name: CommandName | null, words: string[]): string {
  const dashed = words
    .slice(0, words.includes('--') ? words.indexOf('--') : words.length)
    .findLast((word) => word.startsWith('-'))
  return name !== null && takesKey(name) && dashed !== undefined
    ? `\nIf you meant a KEY, write: gemini-dash ${name} -- ${dashed}`
    : ''
}
