import { QUERY_OPERATORS } from '@gemini-dash/session-index'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CliError } from './cli-error.ts'
import { COMMANDS } from './commands.ts'
import { FLAGS } from './flags.ts'
import { helpText } from './help-text.ts'
import { parseCommandLine } from './parse-command-line.ts'

describe('the command', () => {
  test.each([
    [[], 'serve'],
    [['--port', '80'], 'serve'],
    [['list'], 'list'],
    [['--home', 'x', 'list'], 'list'],
    [['--json', 'usage', '--by', 'model'], 'usage'],
  ])('of %j is %s', (args, name) => {
    expect(parseCommandLine(args).name).toBe(name)
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

describe('B3: a session key or its beginning may begin with a dash', () => {
  const key = fc
    .stringMatching(/^-[\w-]{1,11}(~[2-9])?$/)
    .filter((text) => !text.startsWith('--') && text !== '-h')

  test('before and after options', () => {
    fc.assert(
      fc.property(key, (text) => {
        const wanted = { name: 'show', flags: { json: true, home: ['x'] }, positionals: [text] }
        expect(parseCommandLine(['show', text, '--json', '--home', 'x'])).toMatchObject(wanted)
        expect(parseCommandLine(['show', '--home', 'x', text, '--json'])).toMatchObject(wanted)
        expect(parseCommandLine(['--home', 'x', 'show', '--json', '--', text])).toMatchObject(wanted)
      }),
    )
    expect(parseCommandLine(['show', '--Ab']).positionals).toEqual(['--Ab'])
    expect(parseCommandLine(['show', '--AbCdEf_123~2']).positionals).toEqual(['--AbCdEf_123~2'])
  })

  test('but an option is an option, and whoever means a key is told how to write it', () => {
    expect(parseCommandLine(['show', '-h']).flags.help).toBe(true)
    expect(parseCommandLine(['show', '--', '-h'])).toMatchObject({ flags: {}, positionals: ['-h'] })
    expect(helpText('show')).toContain('show -- -h')
    for (const args of [['--port'], ['abc', '--jsn'], ['--home', '-Ab']]) {
      const refusal = failureOf(() => parseCommandLine(['show', ...args]))
      expect(refusal.exitCode).toBe(2)
      expect(refusal.hint).toContain(`show -- ${args.at(-1)}`)
    }
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
  expect(parseCommandLine(['search', '--', '--force']).positionals).toEqual(['--force'])
  expect(parseCommandLine(['search', '-h']).flags.help).toBe(true)
})

test('the help of a search names every operator', () => {
  for (const { name } of QUERY_OPERATORS) expect(helpText('search')).toContain(`${name}:`)
})

test('--home may be repeated', () => {
  expect(parseCommandLine(['list', '--home', 'a', '--home=b']).flags.home).toEqual(['a', 'b'])
})

test.each([
  [['list', '--moon'], '--moon'],
  [['list', '--port', '1'], '--port'],
  [['usage', '--by'], '--by'],
  [['list', '--json=yes'], '--json'],
  [['list', 'everything'], 'everything'],
  [['show', 'a', 'b'], '"b"'],
])('%j is refused with its reason', (args, named) => {
  const refusal = failureOf(() => parseCommandLine(args))
  expect(refusal.exitCode).toBe(2)
  expect(refusal.message).toContain(named)
  expect(refusal.hint).toContain('-h')
})

test('every flag belongs to a command and stands in its help', () => {
  for (const [name, command] of Object.entries(COMMANDS)) {
    const text = helpText(name as keyof typeof COMMANDS)
    for (const flag of command.flags) expect(text).toContain(`--${flag}`)
  }
  const used = new Set<string>(Object.values(COMMANDS).flatMap(({ flags }) => [...flags]))
  expect(Object.keys(FLAGS).filter((flag) => !used.has(flag))).toEqual([])
})

function failureOf(run: () => unknown): CliError {
  try {
    run()
  } catch (error) {
    if (error instanceof CliError) return error
  }
  throw new Error('It did not fail')
}
