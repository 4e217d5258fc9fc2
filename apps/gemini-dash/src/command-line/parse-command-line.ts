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
  return parseArguments(first.value, first.value === 'show' ? withKeysLast(others) : others)
}

/** One key in 64 begins with a dash; it must not be taken for a row of short flags. */
function withKeysLast(args: string[]): string[] {
  const isDashedKey = (arg: string) => /^-[\w-]{11}$/.test(arg)
  const keys = args.filter(isDashedKey)
  return keys.length === 0 ? args : [...args.filter((arg) => !isDashedKey(arg)), '--', ...keys]
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
