import { spawnSync } from 'node:child_process'
import { SESSION_ORDERS, searchQuerySchema } from '@gemini-dash/api'
import { describe, expect, test } from 'vitest'
import { COMMAND_NAMES, COMMANDS } from './commands.ts'
import { COMPLETION_SHELLS, completionScript } from './completion-script.ts'
import { FLAGS } from './flags.ts'

const has = (shell: string, ...args: string[]) => spawnSync(shell, args, { stdio: 'ignore' }).status === 0

test.each(COMPLETION_SHELLS)('%s is told of every command and option', (shell) => {
  const script = completionScript(shell)
  for (const name of COMMAND_NAMES) {
    expect(script).toMatch(new RegExp(`\\b${name}\\b`))
    for (const flag of COMMANDS[name].flags)
      expect(script).toContain(shell === 'fish' ? `-l ${flag} ` : `--${flag}`)
  }
})

test('the orders that are offered are those that lists and searches know', () => {
  const known = [...SESSION_ORDERS, ...searchQuerySchema.shape.sort.unwrap().options]
  expect([...FLAGS.sort.choices].sort()).toEqual([...new Set(known)].sort())
})

describe.skipIf(!has('bash', '-c', 'complete -p >/dev/null 2>&1 || true'))(
  'bash (skipped where there is none)',
  () => {
    test.each([
      ['gemini-dash ', ['list', 'serve', 'help', '--port', '-p']],
      ['gemini-dash se', ['serve', 'search']],
      ['gemini-dash list --k', ['--kind']],
      ['gemini-dash list --kind s', ['subagent']],
      ['gemini-dash --json usage --by m', ['model']],
      ['gemini-dash help do', ['doctor']],
      ['gemini-dash completion f', ['fish']],
      ['gemini-dash list --limit ', []],
    ])('completes “%s”', (line, expected) => {
      const offered = completedByBash(line)
      if (expected.length === 0) expect(offered).toEqual([])
      for (const word of expected) expect(offered).toContain(word)
      const begun = line.split(' ').at(-1) ?? ''
      expect(offered.filter((word) => !word.startsWith(begun))).toEqual([])
    })
  },
)

test.skipIf(!has('zsh', '-c', 'true'))('zsh reads its script (skipped where there is none)', () => {
  expect(spawnSync('zsh', ['-n', '-c', completionScript('zsh')]).status).toBe(0)
})

test.skipIf(!has('fish', '-c', 'true'))('fish reads its script (skipped where there is none)', () => {
  expect(spawnSync('fish', ['-n', '-c', completionScript('fish')]).status).toBe(0)
})

/** What bash offers after that line. */
function completedByBash(line: string): string[] {
  const words = line.split(' ')
  const script = [
    completionScript('bash'),
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length - 1}`,
    '_gemini_dash',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how bash writes variables.
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n')
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}
