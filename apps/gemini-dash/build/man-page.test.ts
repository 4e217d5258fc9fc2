import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { COMMAND_NAMES, COMMANDS, type Command, describeFlag } from '../src/terminal/commands.ts'
import { flagText } from '../src/terminal/flags.ts'
import { manPage } from './man-page.ts'

const groff = spawnSync('groff', ['-v'])

/** The text as displayed, without roff escapes. */
const plain = manPage()
  .replaceAll('\\-', '-')
  .replaceAll('\\e', '\\')
  .replaceAll('\\&', '')
  .replace(/\\\[u([0-9A-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

test.each(COMMAND_NAMES)('the man page says of %s what its help says', (name) => {
  const { arguments: words, summary, flags, notes = [] }: Command = COMMANDS[name]
  const section = plain.slice(plain.indexOf(`.SS "gemini-dash ${name}`)).split(/\n(?=\.S[SH] )/)[0]
  expect(section).toContain(`gemini-dash ${name} ${words}`.trim())
  expect(section?.toLowerCase()).toContain(summary.toLowerCase())
  for (const flag of flags) {
    const described = describeFlag(name, flag)
    expect(section).toContain(`.B ${flagText(flag, described)}\n${described.help}`)
  }
  for (const line of notes.flatMap((note) => note.split('\n'))) expect(section).toContain(line)
})

test('the built package carries it, and its manifest names it', () => {
  expect(readFileSync(join(inject('program'), 'gemini-dash.1'), 'utf8')).toBe(manPage())
  // npm links the entries of a list, but ignores a single string
  expect(manifest.man).toEqual(['dist/gemini-dash.1'])
})

test.skipIf(groff.status !== 0)('groff finds nothing to complain about (skipped where there is none)', () => {
  const { stderr, status } = spawnSync('groff', ['-man', '-ww', '-z'], { input: manPage(), encoding: 'utf8' })
  expect([stderr, status]).toEqual(['', 0])
})
