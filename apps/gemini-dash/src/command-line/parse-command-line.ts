import { parseArgs } from 'node:util'
import { CliError } from './cli-error.ts'
import type { Command, CommandName } from './commands.ts'
import { COMMANDS, isCommandName } from './commands.ts'
import type { FlagName, Flags } from './flags.ts'
import { FLAGS } from './flags.ts'

export interface CommandLine {
  name: CommandName
  flags: Flags
  positionals: string[]
}

/** The command may stand before or after its flags; without one it is `serve`. */
export function parseCommandLine(args: string[]): CommandLine {
  const { tokens } = parseArgs({ args, options: FLAGS, allowPositionals: true, strict: false, tokens: true })
  const first = tokens.find((token) => token.kind === 'positional')
  if (first === undefined || !isCommandName(first.value)) return parseArguments('serve', args)
  const others = args.toSpliced(first.index, 1)
  const isMeant = DASHED_POSITIONALS[first.value]
  return parseArguments(first.value, isMeant === undefined ? others : withDashedLast(others, isMeant))
}

/**
 * What begins with a dash and is no option: one key in 64 and each beginning of it, and in a query each word that is not
 * wanted. A real option is always the option.
 */
const DASHED_POSITIONALS: Partial<Record<CommandName, (arg: string, others: string[]) => boolean>> = {
  // Beside a key, what is unknown is a mistyped option.
  show: (_, others) => others.length === 0,
  search: (arg) => !arg.startsWith('--'),
}

function withDashedLast(args: string[], isMeant: (arg: string, others: string[]) => boolean): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end)
  const free = before.filter((_, place) => !takesValue(before[place - 1]))
  const others = [...free.filter((arg) => !arg.startsWith('-')), ...args.slice(end + 1)]
  const dashed = new Set(
    free.filter((arg) => arg.length > 1 && arg.startsWith('-') && !isOption(arg) && isMeant(arg, others)),
  )
  if (dashed.size === 0) return args
  return [...before.filter((arg) => !dashed.has(arg)), '--', ...dashed, ...args.slice(end + 1)]
}

/** An option of any command, so that one of another is refused by its name. */
function isOption(arg: string): boolean {
  return arg === '-h' || (arg.startsWith('--') && Object.hasOwn(FLAGS, arg.slice(2).split('=')[0] ?? ''))
}

function takesValue(arg: string | undefined): boolean {
  const name = arg?.slice(2) ?? ''
  return (
    arg?.startsWith('--') === true && Object.hasOwn(FLAGS, name) && FLAGS[name as FlagName].type === 'string'
  )
}

function parseArguments(name: CommandName, args: string[]): CommandLine {
  const command: Command = COMMANDS[name]
  const options = Object.fromEntries(command.flags.map((flag: FlagName) => [flag, FLAGS[flag]]))
  const { values, positionals } = strictly(name, args, () =>
    parseArgs({ args, options, allowPositionals: true }),
  )
  if (positionals.length > command.maxPositionals) {
    throw new CliError(2, `"${positionals[command.maxPositionals]}" is one word too many.`, usageHint(name))
  }
  return { name, flags: values as Flags, positionals }
}

function strictly<Result>(name: CommandName, args: string[], parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Node says more than one sentence: the first one names the option.
    const [sentence = error.message] = error.message.split('. ')
    throw new CliError(2, `${sentence.replace(/\.$/, '')}.`, `${usageHint(name)}${keyHint(name, args)}`)
  }
}

function usageHint(name: CommandName): string {
  return `Usage: ${COMMANDS[name].usage} - "gemini-dash ${name} -h" lists the options.`
}

/** A key looks like an option now and then. */
function keyHint(name: CommandName, args: string[]): string {
  const dashed = args
    .slice(0, args.includes('--') ? args.indexOf('--') : args.length)
    .findLast((arg) => arg.startsWith('-'))
  return name === 'show' && dashed !== undefined
    ? `\nIf it is the beginning of a KEY, write: gemini-dash show -- ${dashed}`
    : ''
}
