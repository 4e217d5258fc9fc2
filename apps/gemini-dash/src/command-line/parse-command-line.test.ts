import { QUERY_OPERATORS } from '@gemini-dash/session-index'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CliError } from '../terminal/cli-error.ts'
import { COMMANDS } from '../terminal/commands.ts'
import { FLAGS } from '../terminal/flags.ts'
import { type CommandLine, parseCommandLine } from './run-command-line.ts'

describe('the command', () => {
  test.each([
    [[], 'serve'],
    [['--port', '80'], 'serve'],
    [['list'], 'list'],
    [['--home', 'x', 'list'], 'list'],
    [['--json', 'usage', '--by', 'model'], 'usage'],
  ])('of %j is %s', (args, name) => {
    expect(run(args).name).toBe(name)
  })

  test('may be the value of a flag or the word of a query', () => {
    expect(parseCommandLine(['search', 'list', 'of', 'usage'])).toMatchObject({
      name: 'search',
      positionals: ['list', 'of', 'usage'],
    })
    expect(parseCommandLine(['list', '--project', 'show'])).toMatchObject({
      name: 'list',
      flags: { project: 'show' },
    })
  })
})

describe('D4: help and version', () => {
  test.each([[['-h']], [['--help']], [['help']]])('of everything by %j', (args) => {
    const text = printed(args)
    for (const name of Object.keys(COMMANDS)) expect(text).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect(text).toContain('--port <N>')
  })

  test.each([[['list', '-h']], [['help', 'list']], [['--help', 'list']]])('of one command by %j', (args) => {
    expect(printed(args)).toMatch(/^Usage: gemini-dash list \[options\]\n\nList sessions\.\n/)
    expect(printed(args)).toContain('-n, --limit <N>')
  })

  test('options of every command have a page of their own, and are in no other but that of serve', () => {
    const common = printed(['help', 'options'])
    for (const option of ['--home <DIR>', '--no-cache', '--json', '-h, --help']) {
      expect(common).toContain(option)
      expect(printed(['help', 'list'])).not.toContain(option)
    }
    expect(printed(['help', 'list'])).toContain('Options of every command: gemini-dash help options')
    expect(printed(['help', 'serve'])).toContain('--home <DIR>')
  })

  test('is no wider than the terminal', () => {
    for (const columns of [60, 80, 100]) {
      const line = parseCommandLine(['help', 'serve'], columns)
      const widths = (line.kind === 'print' ? line.text : '').split('\n').map(({ length }) => length)
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    }
  })

  test.each([[['-v']], [['-V']], [['--version']], [['list', '--version']], [['list', '-V']]])(
    'the version by %j',
    (args) => {
      expect(printed(args)).toMatch(/^\d+\.\d+\.\d+\n$/)
    },
  )
})

test('a word that is no command is a folder if it can be one', () => {
  for (const folder of ['.', './gone', '/tmp/gone', '~/code', 'apps'])
    expect(run([folder])).toMatchObject({ name: 'serve', positionals: [folder] })
  expect(run(['serve', 'gone'])).toMatchObject({ name: 'serve', positionals: ['gone'] })
})

test('flags that begin with no- are told from those that do not', () => {
  expect(run(['list', '--no-cache', '--cache-dir', 'x']).flags).toEqual({
    'no-cache': true,
    'cache-dir': 'x',
  })
  expect(run([]).flags).toEqual({})
  expect(run(['--no-open', '-p', '80']).flags).toEqual({ 'no-open': true, port: '80' })
})

test('a value may begin with a dash', () => {
  expect(run(['list', '--from', '-7d', '-n', '3']).flags).toEqual({ from: '-7d', limit: '3' })
  expect(run(['search', 'foo', '-n', '3', '-npm']).positionals).toEqual(['foo', '-npm'])
})

describe('B3: a session key or its beginning may begin with a dash', () => {
  const key = fc
    .stringMatching(/^-[\w-]{1,11}(~[2-9])?$/)
    .filter((text) => !text.startsWith('--') && !['-h', '-V'].includes(text))
    // these lack a dash
    .filter((text) => !Object.hasOwn(FLAGS, text.slice(1)))

  test('before and after options', () => {
    fc.assert(
      fc.property(key, (text) => {
        const wanted = { name: 'show', flags: { json: true, home: ['x'] }, positionals: [text] }
        expect(parseCommandLine(['show', text, '--json', '--home', 'x'])).toMatchObject(wanted)
        expect(parseCommandLine(['show', '--home', 'x', text, '--json'])).toMatchObject(wanted)
        expect(parseCommandLine(['--home', 'x', 'show', '--json', '--', text])).toMatchObject(wanted)
      }),
    )
    expect(run(['show', '--Ab']).positionals).toEqual(['--Ab'])
    expect(run(['show', '--AbCdEf_123~2']).positionals).toEqual(['--AbCdEf_123~2'])
  })

  test('but an option is an option, and whoever means a key is told how to write it', () => {
    expect(printed(['show', '-h'])).toContain('gemini-dash show')
    expect(parseCommandLine(['show', '--', '-h'])).toMatchObject({ flags: {}, positionals: ['-h'] })
    expect(printed(['show', '-h'])).toContain('show -- -h')
    for (const args of [['--port'], ['abc', '--jsn']]) {
      const refusal = failureOf(() => parseCommandLine(['show', ...args]))
      expect(refusal.exitCode).toBe(2)
      expect(refusal.hint).toContain(`show -- ${args.at(-1)}`)
    }
  })
})

describe('O1: every command that takes a KEY takes one that begins with a dash', () => {
  const commands = Object.entries(COMMANDS)
    .filter(([, command]) => command.arguments.includes('KEY'))
    .map(([name]) => name)

  test('they are the ones that the help says', () => {
    expect(commands.sort()).toEqual([
      'export',
      'forget',
      'fork',
      'handover',
      'move',
      'recover',
      'resume',
      'show',
    ])
  })

  test.each(commands)('%s', (name) => {
    for (const key of ['-kva_abc', '-3', '-kva_abc~2', '--Ab', '--kva_abcdef-1']) {
      const wanted = { name, flags: { json: true, home: ['-x'] }, positionals: [key] }
      expect(parseCommandLine([name, key, '--json', '--home', '-x'])).toMatchObject(wanted)
      expect(parseCommandLine(['--home', '-x', '--json', name, key])).toMatchObject(wanted)
      expect(parseCommandLine([name, '--json', '--home=-x', '--', key])).toMatchObject(wanted)
    }
    for (const typo of ['--jsno', '--hmoe', '-json', '-demo']) {
      const refusal = failureOf(() => parseCommandLine([name, typo]))
      expect([refusal.exitCode, refusal.message]).toEqual([2, expect.stringContaining(typo)])
      expect(refusal.hint).toContain(`gemini-dash ${name} -- ${typo}`)
    }
  })

  test('a mistyped option beside a KEY is refused, and several KEYs are taken where several may be', () => {
    for (const args of [
      ['show', 'abc', '-jsn'],
      ['show', '-kva_abc', '--depht', 'all'],
      ['show', '--depht'],
      ['handover', 'abc', '-budget', '500'],
      ['recover', '-kva_abc', '--wirte'],
      ['forget', '-kva_abc', '--frce'],
    ])
      expect(failureOf(() => parseCommandLine(args)).message).toMatch(/Unknown option|belongs to/)
    expect(run(['export', 'abc', '-kva_abc', '-n', '--out', '-']).positionals).toEqual([
      'abc',
      '-kva_abc',
      '-n',
    ])
    expect(run(['resume', '-p', '--json'])).toMatchObject({ flags: { json: true }, positionals: ['-p'] })
  })
})

test('a word of a query may begin with a dash', () => {
  expect(parseCommandLine(['search', 'foo', '-npm', '--limit', '3'])).toMatchObject({
    flags: { limit: '3' },
    positionals: ['foo', '-npm'],
  })
  expect(parseCommandLine(['search', '-npm is:error', '--json'])).toMatchObject({
    flags: { json: true },
    positionals: ['-npm is:error'],
  })
  expect(run(['search', '--', '--force']).positionals).toEqual(['--force'])
  expect(printed(['search', '-h'])).toContain('gemini-dash search')
})

test('the help of a search names every operator', () => {
  for (const { name } of QUERY_OPERATORS) expect(printed(['help', 'search'])).toContain(`${name}:`)
})

test('--home may be repeated', () => {
  expect(run(['list', '--home', 'a', '--home=b']).flags.home).toEqual(['a', 'b'])
})

test.each([
  [['list', '--moon'], '--moon'],
  [['list', '--demp'], 'Did you mean --demo?'],
  [['--nopen'], 'Did you mean --no-open?'],
  [['serch', 'foo', '--limit', '3'], 'Did you mean search?'],
  [['nowhere-at-all'], 'no command "nowhere-at-all"'],
  [['help', 'serch'], 'Did you mean search?'],
  [['list', '--limit'], '--limit'],
  [['list', '--port', '1'], 'belongs to serve'],
  [['usage', '--by'], '--by'],
  [['list', '--json=yes'], '--json'],
  [['list', 'everything'], 'everything'],
  [['show', 'a', 'b'], '"b"'],
])('%j is refused with its reason', (args, named) => {
  const refusal = failureOf(() => parseCommandLine(args))
  expect(refusal.exitCode).toBe(2)
  expect(refusal.message).toContain(named)
  expect(refusal.hint).toMatch(/-h"|gemini-dash help/)
})

test('every flag belongs to a command and stands in its help', () => {
  for (const [name, command] of Object.entries(COMMANDS)) {
    const text = printed(['help', name])
    const common = printed(['help', 'options'])
    for (const flag of command.flags) expect(text + common).toContain(`--${flag}`)
  }
  const used = new Set<string>(Object.values(COMMANDS).flatMap(({ flags }) => [...flags]))
  expect(Object.keys(FLAGS).filter((flag) => !used.has(flag))).toEqual([])
})

function run(args: string[]): Extract<CommandLine, { kind: 'run' }> {
  const line = parseCommandLine(args)
  if (line.kind !== 'run') throw new Error('Nothing runs')
  return line
}

function printed(args: string[]): string {
  const line = parseCommandLine(args)
  if (line.kind !== 'print') throw new Error('Nothing is printed')
  return line.text
}

function failureOf(work: () => unknown): CliError {
  try {
    work()
  } catch (error) {
    if (error instanceof CliError) return error
  }
  throw new Error('It did not fail')
}
