import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ownShell, quoteForShell } from './quote-for-shell.ts'

const HOSTILE = [
  'plain',
  "/home/anna/it's here",
  '/home/anna/$(touch gone)/`id`',
  '/home/anna/"two" \\ slashes \\',
  '/home/anna/a\nb\tc',
  '/home/anna/\u001b[31mred',
  '/home/anna/schön 漢字 🌍',
  '/home/anna/\u202egnp.exe',
  '~/x',
  '*',
  '-rf',
  '=ls',
  'a,b@c%d',
  '',
  ' ',
  '!history',
  '#comment',
]

test.runIf(ownShell() === 'posix')('bash hands on each value as it is', () => {
  for (const value of HOSTILE) {
    const word = quoteForShell(value, 'posix')
    const { stdout, status } = spawnSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })
    expect([word, status, stdout]).toEqual([word, 0, value])
    expect(word).not.toMatch(/\p{C}/u)
  }
})

test('PowerShell reads single quotes, typographic ones too, as the end of a value unless they are doubled', () => {
  expect(quoteForShell('C:/Users/anna', 'powershell')).toBe('C:/Users/anna')
  expect(quoteForShell("C:/it's here", 'powershell')).toBe("'C:/it''s here'")
  expect(quoteForShell('C:/it\u2019s here', 'powershell')).toBe("'C:/it\u2019\u2019s here'")
  expect(quoteForShell('C:/$env:X `n "q"', 'powershell')).toBe('\'C:/$env:X `n "q"\'')
  expect(quoteForShell('', 'powershell')).toBe("''")
})

test('PowerShell gets by number what nobody sees', () => {
  expect(quoteForShell('a\u001bb', 'powershell')).toBe("('' + 'a' + [char]27 + 'b')")
  expect(quoteForShell('\u{e0061}', 'powershell')).toBe("('' + [char]56128 + [char]56417)")
})
