import type { Command, CommandName } from './commands.ts'
import { COMMANDS } from './commands.ts'
import type { FlagName } from './flags.ts'
import { FLAGS } from './flags.ts'

export function helpText(name: CommandName): string {
  const command: Command = COMMANDS[name]
  const sections = [
    `${command.usage}\n${sentence(command.summary)}`,
    ...(command.notes ?? []),
    ...(name === 'serve' ? [`Commands:\n${commandLines()}`] : []),
    `Options:\n${flagLines(command.flags)}`,
  ]
  return `${sections.join('\n\n')}\n`
}

function commandLines(): string {
  const others = Object.values(COMMANDS).filter((command) => command !== COMMANDS.serve)
  return columns(others.map(({ usage, summary }) => [usage.replace('gemini-dash ', ''), summary]))
}

function flagLines(flags: readonly FlagName[]): string {
  const rows = flags.map((name): [string, string] => {
    const flag: { short?: string; value?: string; help: string } = FLAGS[name]
    const short = flag.short === undefined ? '    ' : `-${flag.short}, `
    return [`${short}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`, flag.help]
  })
  if (flags.includes('port')) rows.push(['-v, --version', 'print the version'])
  return columns(rows)
}

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
