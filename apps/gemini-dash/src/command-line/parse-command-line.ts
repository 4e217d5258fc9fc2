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
  const isDashed = DASHED_POSITIONALS[first.value]
  return parseArguments(first.value, isDashed === undefined ? others : withDashedLast(others, isDashed))
}

/**
 * What begins with a dash and must not be taken for a row of short flags: one key in 64, and in a query each word that
 * is not wanted.
 */
const DASHED_POSITIONALS: Partial<Record<CommandName, RegExp>> = {
  show: /^-[\w-]{11}$/,
  search: /^-(?!h$)[^-]/,
}

function withDashedLast(args: string[], isDashed: RegExp): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end)
  const dashed = before.filter((arg) => isDashed.test(arg))
  if (dashed.length === 0) return args
  return [...before.filter((arg) => !isDashed.test(arg)), '--', ...dashed, ...args.slice(end + 1)]
}

function parseArguments(name: CommandName, args: string[]): CommandLine {
  const command: Command = COMMANDS[name]
  const options = Object.fromEntries(command.flags.map((flag: FlagName) => [flag, FLAGS[flag]]))
  const { values, positionals } = strictly(name, () => parseArgs({ args, options, allowPositionals: true }))
  if (positionals.length > command.maxPositionals) {
    throw new CliError(2, `"${positionals[command.maxPositionals]}" is one word too many.`, usageHint(name))
  }
  return { name, flags: values as Flags, positionals }
}

function strictly<Result>(name: CommandName, parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Node says more than one sentence: the first one names the option.
    const [sentence = error.message] = error.message.split('. ')
    throw new CliError(2, `${sentence.replace(/\.$/, '')}.`, usageHint(name))
  }
}

function usageHint(name: CommandName): string {
  return `Usage: ${COMMANDS[name].usage} - "gemini-dash ${name} -h" lists the options.`
}
