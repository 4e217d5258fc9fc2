import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CommanderError } from 'commander'
import { CliError } from '../terminal/cli-error.ts'
import {
  COMMAND_NAMES,
  COMMANDS,
  type Command,
  type CommandName,
  isCommandName,
} from '../terminal/commands.ts'
import { FLAGS, type FlagName, type Flags, flagOf } from '../terminal/flags.ts'
import { commandTree } from './command-tree.ts'

/** What a command line asks for: that a command runs, or that a text is printed (help, the version). */
export type CommandLine =
  | { kind: 'run'; name: CommandName; flags: Flags; positionals: string[] }
  | { kind: 'print'; text: string }

/** The command may stand before or after its flags; without one it is `serve`. `columns`: width of help. */
export function parseCommandLine(args: string[], columns = 100): CommandLine {
  const words = inOrder(args)
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
    if (error.exitCode !== 0) throw refusal(error, words)
  }
  return checked(line ?? { kind: 'print', text })
}

/** Of no command, or of each. */
const ABOUT = ['-h', '--help', '-V', '--version']

/** The command first, and what looks like an option but is none last. */
function inOrder(args: string[]): string[] {
  if (args.length === 1 && args[0] === '-v') return ['--version']
  const { tokens } = parseArgs({ args, options: FLAGS, allowPositionals: true, strict: false, tokens: true })
  const first = tokens.find((token) => token.kind === 'positional')
  if (first === undefined) return isAboutAll(args) ? args : ['serve', ...args]
  const others = args.toSpliced(first.index, 1)
  if (first.value === 'help') return forHelp(others)
  if (isCommandName(first.value)) return [first.value, ...withDashedLast(first.value, others)]
  // What is no command is a folder, if it can be one; else commander says what was meant perhaps.
  return isFolder(first.value) ? ['serve', ...args] : [first.value]
}

/** Help for what is no command is refused as that command is. */
function forHelp(topics: string[]): string[] {
  const [topic] = topics
  return topic === undefined || isCommandName(topic) ? ['help', ...topics] : [topic]
}

function isAboutAll(args: string[]): boolean {
  return args.length === 1 && ABOUT.includes(args[0] ?? '')
}

function isFolder(word: string): boolean {
  return /[\\/]|^\.|^~/.test(word) || statSync(word, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * What begins with a dash and is no option: one key in 64 and each beginning of it, and in a query each word that is not
 * wanted. A real option is always the option.
 */
const DASHED_POSITIONALS: Partial<Record<CommandName, (arg: string, others: string[]) => boolean>> = {
  // Beside a key, what is unknown is a mistyped option.
  show: (_, others) => others.length === 0,
  handover: (_, others) => others.length === 0,
  search: (arg) => !arg.startsWith('--'),
}

function withDashedLast(name: CommandName, args: string[]): string[] {
  const isMeant = DASHED_POSITIONALS[name]
  if (isMeant === undefined) return args
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end)
  const free = before.filter((_, place) => !takesValue(before[place - 1]))
  const others = [...free.filter((arg) => !arg.startsWith('-')), ...args.slice(end + 1)]
  const dashed = new Set(
    free.filter(
      (arg) => arg.length > 1 && arg.startsWith('-') && !isOption(name, arg) && isMeant(arg, others),
    ),
  )
  if (dashed.size === 0) return args
  return [...before.filter((arg) => !dashed.has(arg)), '--', ...dashed, ...args.slice(end + 1)]
}

/** An option of any command, so that one of another is refused by its name; a letter only of its own. */
function isOption(name: CommandName, arg: string): boolean {
  if (ABOUT.includes(arg)) return true
  const flag = flagOf(arg)
  const { flags }: Command = COMMANDS[name]
  return flag !== null && (arg.startsWith('--') || flags.includes(flag))
}

function takesValue(arg: string | undefined): boolean {
  const flag = arg === undefined || arg.includes('=') ? null : flagOf(arg)
  return flag !== null && FLAGS[flag].type === 'string'
}

function checked(line: CommandLine): CommandLine {
  if (line.kind === 'print') return line
  const { maxPositionals }: Command = COMMANDS[line.name]
  const extra = line.positionals[maxPositionals]
  if (extra !== undefined)
    throw new CliError(2, `"${extra}" is one word too many.`, fileHint(extra) ?? usageHint(line.name))
  return line
}

/** A session file that somebody sent is no argument. null: it is no file. */
function fileHint(word: string): string | null {
  const isFile = statSync(word, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? `How this file is read, "gemini-dash list --home ${word}" says.` : null
}

/** Commander's reasons in sentences of ours. */
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
        `${hint} A folder that is gone is opened with: gemini-dash serve ${what}`,
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
  if (flag === null) return `There is no option ${option}.`
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

/** A key looks like an option now and then. */
function keyHint(name: CommandName | null, words: string[]): string {
  const dashed = words
    .slice(0, words.includes('--') ? words.indexOf('--') : words.length)
    .findLast((word) => word.startsWith('-'))
  return (name === 'show' || name === 'handover') && dashed !== undefined
    ? `\nIf it is the beginning of a KEY, write: gemini-dash ${name} -- ${dashed}`
    : ''
}
