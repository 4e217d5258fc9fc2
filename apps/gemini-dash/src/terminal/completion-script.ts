// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how shells write variables.
import { COMMAND_NAMES, COMMANDS, describeFlag, KEEP_ACTIONS, MARK_ACTIONS } from './commands.ts'
import { FLAGS, type FlagDescription, type FlagName } from './flags.ts'

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type CompletionShell = (typeof COMPLETION_SHELLS)[number]

/** A script that completes commands and options of gemini-dash in a shell. Generated from the same tables as the help. */
export function completionScript(shell: CompletionShell): string {
  return `${SCRIPTS[shell]().join('\n')}\n`
}

const SCRIPTS: Record<CompletionShell, () => string[]> = { bash, zsh, fish, powershell }

interface FlagWord {
  long: string
  short: string | null
  takes: 'nothing' | 'text' | 'folder' | 'project'
  choices: readonly string[]
  help: string
}

function flagWord(name: FlagName, flag: FlagDescription = FLAGS[name]): FlagWord {
  const takes = name === 'project' ? 'project' : flag.value === 'DIR' ? 'folder' : 'text'
  return {
    long: `--${name}`,
    short: flag.short === undefined ? null : `-${flag.short}`,
    takes: flag.type === 'boolean' ? 'nothing' : takes,
    choices: flag.choices ?? [],
    help: flag.help,
  }
}

const TOPICS = [...COMMAND_NAMES, 'help']
const everyFlag = () => (Object.keys(FLAGS) as FlagName[]).map((flag) => flagWord(flag))
const flagsOf = (name: (typeof COMMAND_NAMES)[number]) =>
  (COMMANDS[name].flags as FlagName[]).map((flag) => flagWord(flag, describeFlag(name, flag)))
const names = ({ long, short }: FlagWord) => (short === null ? [long] : [long, short])
const wordsOf = (name: (typeof COMMAND_NAMES)[number]) =>
  [...flagsOf(name).flatMap(names), ...argumentsOf(name)].join(' ')
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  completion: COMPLETION_SHELLS,
  keep: KEEP_ACTIONS,
  marks: MARK_ACTIONS,
}
/** Words that a command accepts besides options. */
const argumentsOf = (name: string): readonly string[] => ARGUMENTS[name] ?? []

const takesKey = (name: (typeof COMMAND_NAMES)[number]) => COMMANDS[name].arguments.includes('KEY')
const takesFile = (name: (typeof COMMAND_NAMES)[number]) => /PATH|FILE|OUT/.test(COMMANDS[name].arguments)

/**
 * Words that the program offers are quoted, so that the shell interprets nothing in them; inside quotes that the user typed, none are
 * offered.
 */
const BASH_OFFER = [
  '_gemini_dash_offer() {',
  '  local offered typed=${current//\\\\/}',
  `  [[ $current == [\\'\\"]* ]] && return`,
  "  while IFS=$'\\t' read -r offered _; do",
  '    [[ $offered == "$typed"* ]] || continue',
  '    printf -v offered %q "$offered"',
  '    COMPREPLY+=("$offered")',
  '  done < <(gemini-dash completion "$1" -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)',
  '}',
]

function bash(): string[] {
  const values = everyFlag().filter(({ takes }) => takes !== 'nothing')
  return [
    '# gemini-dash completion bash > ~/.local/share/bash-completion/completions/gemini-dash',
    ...BASH_OFFER,
    '_gemini_dash() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= word',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    `    case $word in ${TOPICS.join('|')}) command=$word; break ;; esac`,
    '  done',
    '  case $before in',
    ...values.map((flag) => `    ${names(flag).join('|')}) ${bashValue(flag)}; return ;;`),
    '  esac',
    '  case $command in',
    `    '') COMPREPLY=($(compgen -W '${TOPICS.join(' ')} ${wordsOf('serve')}' -- "$current")) ;;`,
    ...COMMAND_NAMES.map((name) => {
      const words = `COMPREPLY=($(compgen -W '${wordsOf(name)}' -- "$current"))`
      const keys = takesKey(name) ? '; [[ $current == -* ]] || _gemini_dash_offer keys' : ''
      // file names where no word matches
      const files = takesFile(name) ? '; compopt -o default 2>/dev/null' : ''
      return `    ${name}) ${words}${keys}${files} ;;`
    }),
    `    help) COMPREPLY=($(compgen -W '${COMMAND_NAMES.join(' ')}' -- "$current")) ;;`,
    '  esac',
    '}',
    'complete -F _gemini_dash gemini-dash',
  ]
}

function bashValue({ takes, choices }: FlagWord): string {
  if (takes === 'folder') return 'COMPREPLY=($(compgen -d -- "$current"))'
  if (takes === 'project') return 'COMPREPLY=(); _gemini_dash_offer projects'
  return choices.length === 0
    ? 'COMPREPLY=()'
    : `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`
}

function zsh(): string[] {
  return [
    '#compdef gemini-dash',
    '# gemini-dash completion zsh > a folder of $fpath, as _gemini-dash',
    '_gemini-dash_offer() {',
    "  local -a offered shown; local tab=$'\\t'",
    '  offered=("${(@f)$(gemini-dash completion $1 -- "${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")',
    '  [[ -n $offered ]] || return',
    '  shown=("${offered[@]//${tab}/  }")',
    '  offered=("${offered[@]%%${tab}*}")',
    '  compadd -V $1 -l -d shown -a offered',
    '}',
    '_gemini-dash() {',
    '  local -a commands',
    '  commands=(',
    ...COMMAND_NAMES.map((name) => `    ${quoted(`${name}:${COMMANDS[name].summary}`)}`),
    "    'help:help for a command'",
    '  )',
    `  local command=\${words[(r)(${TOPICS.join('|')})]}`,
    '  case $command in',
    ...COMMAND_NAMES.map((name) => `    ${name}) _arguments ${zshSpecs(name)} ;;`),
    '    help) _describe command commands ;;',
    `    *) _arguments ${zshFlags('serve')} '1: :{_describe command commands}' ;;`,
    '  esac',
    '}',
    '_gemini-dash "$@"',
  ]
}

function zshFlags(name: (typeof COMMAND_NAMES)[number]): string {
  const specs = flagsOf(name).flatMap((flag) => names(flag).map((word) => quoted(`${word}${zshTail(flag)}`)))
  return specs.join(' ')
}

function zshSpecs(name: (typeof COMMAND_NAMES)[number]): string {
  const own = argumentsOf(name)
  // without positions for the command itself and for all words, zsh completes no option after them
  const rest = takesKey(name) ? ' _gemini-dash_offer keys' : takesFile(name) ? '_files' : '()'
  const places = ['1: : ', ...(own.length === 0 ? [] : [`2: :(${own.join(' ')})`]), `*: :${rest}`]
  return [zshFlags(name), ...places.map(quoted)].join(' ')
}

function zshTail({ takes, choices, help }: FlagWord): string {
  const about = `[${help.replaceAll(/[[\]:]/g, '\\$&')}]`
  if (takes === 'nothing') return about
  if (takes === 'folder') return `${about}: :_files -/`
  if (takes === 'project') return `${about}: : _gemini-dash_offer projects`
  return choices.length === 0 ? `${about}: : ` : `${about}: :(${choices.join(' ')})`
}

function fish(): string[] {
  const lines = ['# gemini-dash completion fish > ~/.config/fish/completions/gemini-dash.fish']
  const without = `not __fish_seen_subcommand_from ${TOPICS.join(' ')}`
  lines.push(`complete -c gemini-dash -n ${quoted(without)} -f`)
  for (const name of COMMAND_NAMES) {
    lines.push(
      `complete -c gemini-dash -n ${quoted(without)} -a ${name} -d ${quoted(COMMANDS[name].summary)}`,
    )
    const seen = `__fish_seen_subcommand_from ${name}`
    for (const flag of flagsOf(name)) {
      const parts = [`-l ${flag.long.slice(2)}`]
      if (flag.short !== null) parts.push(`-s ${flag.short.slice(1)}`)
      if (flag.takes === 'folder') parts.push("-x -a '(__fish_complete_directories)'")
      else if (flag.takes === 'project') parts.push(`-x -a ${quoted(fishOffer('projects'))}`)
      else if (flag.takes === 'text') parts.push('-x')
      if (flag.choices.length > 0) parts.push(`-a ${quoted(flag.choices.join(' '))}`)
      lines.push(`complete -c gemini-dash -n ${quoted(seen)} ${parts.join(' ')} -d ${quoted(flag.help)}`)
    }
    if (takesKey(name))
      lines.push(`complete -c gemini-dash -n ${quoted(seen)} -f -k -a ${quoted(fishOffer('keys'))}`)
    const own = argumentsOf(name)
    if (own.length > 0)
      lines.push(`complete -c gemini-dash -n ${quoted(seen)} -f -a ${quoted(own.join(' '))}`)
  }
  lines.push(
    `complete -c gemini-dash -n ${quoted(without)} -a help -d ${quoted('help for a command')}`,
    `complete -c gemini-dash -n '__fish_seen_subcommand_from help' -f -a ${quoted(COMMAND_NAMES.join(' '))}`,
  )
  return lines
}

function fishOffer(what: 'keys' | 'projects'): string {
  return `(gemini-dash completion ${what} -- (commandline -opc)[2..-1] 2>/dev/null)`
}

function powershell(): string[] {
  const table = (rows: [string, readonly string[]][]) =>
    rows.map(([key, words]) => `    ${quoted(key)} = @(${words.map(quoted).join(', ')})`)
  return [
    '# gemini-dash completion powershell >> $PROFILE',
    'Register-ArgumentCompleter -Native -CommandName gemini-dash -ScriptBlock {',
    '  param($current, $tree, $position)',
    '  $commands = @{',
    ...table([
      ...COMMAND_NAMES.map((name): [string, string[]] => [name, wordsOf(name).split(' ')]),
      ['help', COMMAND_NAMES],
    ]),
    '  }',
    '  $values = @{',
    ...table(
      everyFlag()
        .filter(({ choices }) => choices.length > 0)
        .map(({ long, choices }): [string, readonly string[]] => [long, choices]),
    ),
    '  }',
    '  $typed = @($tree.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -ne $current })',
    '  $command = $typed | Where-Object { $commands.ContainsKey($_) } | Select-Object -First 1',
    '  $before = $typed | Select-Object -Last 1',
    '  $words = if ($before -and $values.ContainsKey($before)) { $values[$before] }',
    "    elseif ($command) { $commands[$command] } else { @($commands.Keys) + $commands['serve'] }",
    '  $words | Where-Object { $_ -like "$current*" } | Sort-Object |',
    '    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_) }',
    '}',
  ]
}

/** Works in all four shells; none of the texts contains a backslash or a line break. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
