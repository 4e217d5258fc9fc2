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

/**
 * PowerShell's own rules, from its documentation (about_Quoting_Rules, about_Special_Characters, about_Parsing): in single quotes only a
 * quote is special, which is doubled, and four typographic ones are quotes, too; an unquoted word ends at any of these characters, or
 * changes its meaning.
 */
const QUOTES = "['\u2018-\u201b]"
const SPECIAL = /[\s'"`$@(){};,|&<>#\u2018-\u201f\u2013-\u2015]|^[-~%*?![\]=+]|^$/u

test('by the documented rules of PowerShell every value is read back as it is', () => {
  for (const value of [
    ...HOSTILE,
    '\u2018a\u2019b\u201ac\u201b',
    '\u201cq\u201d',
    '$(rm x); & y | z',
    'a`nb',
    '--%',
    '@a',
    '%PATH%',
  ]) {
    const word = quoteForShell(value, 'powershell')
    expect([value, asPowerShellReads(word)]).toEqual([value, value])
    expect(word).not.toMatch(/\p{C}/u)
  }
})

function asPowerShellReads(word: string): string {
  if (!SPECIAL.test(word)) return word
  const sum = /^\((.*)\)$/su.exec(word)?.[1]
  const terms = sum === undefined ? [word] : [...sum.matchAll(TERM)].map(([term]) => term)
  expect(terms.join(' + ')).toBe(sum ?? word)
  return terms.map(termValue).join('')
}

const TERM = new RegExp(`${QUOTES}(?:[^'\u2018-\u201b]|${QUOTES}{2})*${QUOTES}|\\[char\\]\\d+`, 'gu')

function termValue(term: string): string {
  const code = /^\[char\](\d+)$/.exec(term)?.[1]
  if (code !== undefined) return String.fromCharCode(Number(code))
  expect(term).toMatch(new RegExp(`^${TERM.source}$`, 'u'))
  return term.slice(1, -1).replace(new RegExp(`(${QUOTES})${QUOTES}`, 'gu'), '$1')
}
