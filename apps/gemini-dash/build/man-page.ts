import type { Command, Option } from 'commander'
import type { Plugin } from 'vite'
import { commandTree } from '../src/command-line/command-tree.ts'
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../src/terminal/commands.ts'
import { VERSION } from '../src/terminal/terminal.ts'

/** The page of `man gemini-dash`: the help of every command, as roff(7). */
export function manPage(): string {
  const { program, commands } = commandTree(
    80,
    () => {},
    () => {},
  )
  return [
    `.TH GEMINI\\-DASH 1 "" "gemini\\-dash ${text(VERSION)}" "User Commands"`,
    '.SH NAME',
    `gemini\\-dash \\- ${text(program.description().replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B gemini\\-dash',
    '[\\fIcommand\\fR] [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    'Reads what Gemini CLI left on this computer and shows it in a browser or in the terminal.',
    'Where no command is named,',
    '.B serve',
    'runs. Nothing below a Gemini home is ever written, but by',
    '.BR recover ,',
    '.B move',
    'and',
    '.BR fork .',
    '.SH COMMANDS',
    ...COMMAND_NAMES.flatMap((name) => commandSection(name, commands[name])),
    ...ENVIRONMENT,
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
    '',
  ].join('\n')
}

/** Writes it next to the program; package.json refers to it. */
export function writeManPage(): Plugin {
  return {
    name: 'man-page',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'gemini-dash.1', source: manPage() })
    },
  }
}

function commandSection(name: CommandName, command: Command): string[] {
  const { arguments: words, notes = [] }: { arguments: string; notes?: readonly string[] } = COMMANDS[name]
  return [
    `.SS "gemini\\-dash ${text(`${name} ${words}`.trim())}"`,
    text(command.description()),
    ...command.createHelp().visibleOptions(command).flatMap(optionItem),
    // verbatim: columns and examples
    ...notes.flatMap((note) => ['.PP', '.nf', ...note.split('\n').map(text), '.fi']),
  ]
}

function optionItem({ flags, description }: Option): string[] {
  return ['.TP', `.B ${text(flags)}`, text(description)]
}

const ENVIRONMENT = [
  '.SH ENVIRONMENT',
  ...[
    [
      'GEMINI_SESSIONS_DIR',
      'A Gemini home, its .gemini, or the tmp folder in it; read where no --home is given.',
    ],
    ['GEMINI_CLI_HOME', 'The folder above .gemini, as Gemini CLI itself takes it.'],
    ['NO_COLOR, FORCE_COLOR', 'Print without colours, or with them where no terminal is seen.'],
  ].flatMap(([name = '', meaning = '']) => ['.TP', `.B ${text(name)}`, text(meaning)]),
]

const EXIT_CODES = [
  ['0', 'All is well.'],
  ['1', 'It failed, a search found nothing, or doctor found something.'],
  ['2', 'It was asked in a way that means nothing, or more than one thing.'],
  ['3', 'It answered, but the system did not let it open or read some files.'],
] as const

/** A line that begins with a dot or a quote would be a request; roff reads Latin-1, so other characters are written as escapes. */
function text(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\n -~]/gu, (character) => {
      return `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
    })
    .replace(/^(?=[.'])/, '\\&')
}
