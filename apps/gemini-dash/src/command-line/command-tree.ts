import { Command, Help, type Option, type OptionValues } from 'commander'
import {
  COMMAND_NAMES,
  COMMANDS,
  COMMON_FLAGS,
  type CommandName,
  type Command as Description,
  describeFlag,
  isCommandName,
} from '../terminal/commands.ts'
import { FLAGS, type FlagDescription, type FlagName, type Flags, flagText } from '../terminal/flags.ts'
import { VERSION } from '../terminal/terminal.ts'

/** Receives the command that was typed, with its values. */
export type OnCommand = (name: CommandName, flags: Flags, positionals: string[]) => void

export interface CommandTree {
  program: Command
  commands: Record<CommandName, Command>
}

/** All commands for commander, which parses the command line, prints help and suggests corrections. */
export function commandTree(
  columns: number,
  print: (text: string) => void,
  onCommand: OnCommand,
): CommandTree {
  const program = new Command('gemini-dash')
    .description('Find, read and price every Gemini CLI session on your machine.')
    .usage('[command] [options]')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .helpCommand('help [command]', 'help for a command')
    .configureOutput({ writeOut: print, writeErr: () => {}, getOutHelpWidth: () => columns })
    .configureHelp({ minWidthToWrap: 20, subcommandTerm: termOf })
    .exitOverride()
  const commands = Object.fromEntries(
    COMMAND_NAMES.map((name) => [name, addCommand(program, name, onCommand)]),
  ) as Record<CommandName, Command>
  program.addHelpText('after', () => `\n${optionsOf(commands.serve, columns)}`)
  return { program, commands }
}

function addCommand(program: Command, name: CommandName, onCommand: OnCommand): Command {
  const description: Description = COMMANDS[name]
  const command = program
    .command(name)
    .summary(description.summary)
    .description(`${description.summary.charAt(0).toUpperCase()}${description.summary.slice(1)}.`)
    .usage(`${description.arguments} [options]`.trim())
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', FLAGS.help.help)
    .argument('[words...]')
  command.configureHelp({
    minWidthToWrap: 20,
    visibleArguments: () => [],
    // serve is what most people want help for: show everything on one page. When commander makes suggestions, it considers all options
    ...(name !== 'serve' && {
      formatHelp: (of, helper) => {
        const { options } = of
        helper.visibleOptions = () => options.filter(isOwn(description))
        return Help.prototype.formatHelp.call(helper, of, helper)
      },
    }),
  })
  for (const flag of description.flags) {
    if (flag !== 'help') addFlag(command, flag, describeFlag(name, flag))
  }
  const common = name === 'serve' ? [] : ['Options of every command: gemini-dash help options']
  const notes = [...(description.notes ?? []), ...common].join('\n\n')
  if (notes !== '') command.addHelpText('after', `\n${notes}`)
  return command.action(() => onCommand(name, flagsOf(description.flags, command.opts()), command.args))
}

/** Options that are not common to all commands. */
function isOwn({ ownFlags = {} }: Description): (option: Option) => boolean {
  return ({ long }) => {
    const flag = (long ?? '').replace(/^--/, '') as FlagName
    return flag in ownFlags || !['--version', ...COMMON_FLAGS.map((name) => `--${name}`)].includes(long ?? '')
  }
}

/** Output of `help options`. */
export function commonOptions(columns: number): string {
  const command = new Command('options')
    .helpOption('-h, --help', 'print help of the command')
    .version(VERSION, '-V, --version', 'print the version')
  for (const flag of COMMON_FLAGS) if (flag !== 'help') addFlag(command, flag, FLAGS[flag])
  return `${optionList(command, 'Options of every command:', columns).trimEnd()}\n`
}

function termOf(command: Command): string {
  const name = command.name()
  return isCommandName(name) ? `${name} ${COMMANDS[name].arguments}`.trimEnd() : `${name} [command]`
}

function addFlag(command: Command, name: FlagName, described: FlagDescription): void {
  const isRepeated = 'multiple' in FLAGS[name]
  const text = flagText(name, described)
  if (isRepeated) {
    command.option(text, described.help, (value: string, before: string[] = []) => [...before, value])
  } else command.option(text, described.help)
}

/** Commander treats `--no-x` as the negation of x; here it is a flag with its own name. */
function flagsOf(names: readonly FlagName[], values: OptionValues): Flags {
  const flags: Record<string, unknown> = {}
  for (const name of names) {
    const isNegation = name.startsWith('no-')
    const key = (isNegation ? name.slice(3) : name).replaceAll(/-(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    )
    const value: unknown = values[key]
    if (isNegation ? value === false : value !== undefined) flags[name] = isNegation ? true : value
  }
  return flags
}

/** Help without a command is most often about serve. */
function optionsOf(serve: Command, columns: number): string {
  const title = 'Options of serve, the default command:'
  return optionList(serve, title, columns, ({ long }) => long !== '--version' && long !== '--help')
}

function optionList(
  command: Command,
  title: string,
  columns: number,
  isListed: (option: Option) => boolean = () => true,
): string {
  const helper = command.createHelp()
  helper.prepareContext({ helpWidth: columns })
  const width = helper.padWidth(command, helper)
  const items = helper
    .visibleOptions(command)
    .filter(isListed)
    .map((option) =>
      helper.formatItem(helper.optionTerm(option), width, helper.optionDescription(option), helper),
    )
  return helper.formatItemList(title, items, helper).join('\n')
}
