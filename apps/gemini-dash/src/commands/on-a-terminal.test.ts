import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sessionListSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../test/run-program.ts'
import { displayWidth } from '../print/paint.ts'

const HOME = fileURLToPath(new URL('../../../../fixtures/home', import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-terminal-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(args: readonly string[], env: Record<string, string> = {}) {
  return runProgram([...args, '--home', HOME, '--cache-dir', join(folder, 'cache')], { TZ: 'UTC', ...env })
}

/** Output of the program on a terminal with this many columns. */
async function onTerminal(columns: number, args: readonly string[], env: Record<string, string> = {}) {
  const code = `Object.defineProperties(process.stdout, { isTTY: { value: true }, columns: { value: ${columns} } })`
  const preload = `--import data:text/javascript,${encodeURIComponent(code)}`
  const { stdout, stderr } = await run(args, { NODE_OPTIONS: preload, NO_COLOR: '1', ...env })
  return { lines: stdout.trimEnd().split('\n'), stdout, stderr }
}

const widths = (lines: readonly string[]) => lines.map(displayWidth)

describe('list', () => {
  test('at 80 columns: titles of 32 and more, no two cut to the same, short dates, keys that every command takes', async () => {
    const { lines, stderr } = await onTerminal(80, ['list'])
    expect(lines[0]).toMatch(/^TITLE +PROJECT +FAILED +COST +LAST +KEY$/)
    expect(Math.max(...widths(lines))).toBeLessThanOrEqual(80)
    expect(lines[0]?.indexOf('PROJECT')).toBeGreaterThanOrEqual(34)
    expect(stderr).toMatch(/^\d+ sessions\. Hidden columns: TOOL CALLS, TOKENS\.\n/)

    const { sessions } = sessionListSchema.parse(JSON.parse((await run(['list', '--json'])).stdout))
    const rows = sessions.filter(({ empty }) => !empty)
    const keys = lines.slice(1).map((line) => line.split(/ +/).at(-1) ?? '')
    expect(keys.length).toBe(rows.length)
    for (const [at, key] of keys.entries()) {
      expect(key.length).toBeGreaterThanOrEqual(6)
      expect(rows[at]?.key.startsWith(key)).toBe(true)
    }
    const dated = lines.slice(1).map((line) => / (\w{3} \d+) {2}\S+$/.exec(line)?.[1])
    expect(dated.every((date) => date !== undefined)).toBe(true)
    const [key = ''] = keys
    expect((await run(['show', key, '--json'])).stdout).toContain(`"key":"${rows[0]?.key}"`)

    const titles = lines.slice(1).map((line) => line.slice(0, 34))
    const whole = new Set(rows.map(({ title }) => title))
    expect(new Set(titles).size).toBeGreaterThanOrEqual(whole.size)
  })

  test('at 120 columns nothing is hidden; at 40 the title and the key stay', async () => {
    const wide = await onTerminal(120, ['list', '-n', '5'])
    expect(wide.lines[0]).toMatch(/^TITLE +PROJECT +TOOL CALLS +FAILED +TOKENS +COST +LAST ACTIVITY +KEY$/)
    expect(wide.lines[1]).toMatch(/ \w{3} \d+, \d\d:\d\d {2}\S{6}$/)
    expect(wide.stderr).toMatch(/^5 of \d+ sessions\. More: -n \d+\.\n/)
    const narrow = await onTerminal(40, ['list', '-n', '5'])
    expect(narrow.lines[0]).toMatch(/^TITLE +KEY$/)
  })

  test('FAILED is amber where a failed command was never run again', async () => {
    const { stdout } = await onTerminal(80, ['list'], { NO_COLOR: '', FORCE_COLOR: '1' })
    // as JSON, in which an escape is written out
    expect(JSON.stringify(stdout)).toMatch(/\\u001b\[33m4\\u001b\[39m +\$0\.68/)
  })
})

test('search fits the terminal, with what was found in each line', async () => {
  const { lines, stderr } = await onTerminal(80, ['search', 'price', '-n', '20'])
  expect(Math.max(...widths(lines))).toBeLessThanOrEqual(80)
  for (const line of lines.filter((each) => /^ {2}\S/.test(each) && !/more in this/.test(each)))
    expect(line.toLowerCase()).toContain('price')
  expect(stderr).toMatch(
    /^\d+ results in \d+ sessions, best first\. More: -n \d+\. Newest first: --sort recent\n/,
  )
})

test('search shows three lines of a session, and as many as are asked for by -n', async () => {
  const { lines } = await onTerminal(80, ['search', 'price'])
  expect(lines.slice(1, 5).map((line) => /^ {2}\S+ {2,}\S/.test(line))).toEqual([true, true, true, false])
  expect(lines[4]).toMatch(/^ {2}\d+ more in this session$/)
  const asked = await onTerminal(80, ['search', 'price', '-n', '50'])
  expect(asked.lines.length).toBeGreaterThan(lines.length)
  expect(asked.lines[4]).toMatch(/^ {2}\S+ {2,}\S/)
})

test('show: verdict, one line of facts, turns, and what a failed command said', async () => {
  const { lines, stderr } = await onTerminal(80, ['show', '_T3Hl1'])
  expect(lines[0]).toBe('Fix price rounding at checkout')
  expect(lines[1]).toMatch(/^! 1 failed command was never rerun\. Last: `npm test -- price cart` \(exit 1\)/)
  expect(Math.max(...widths(lines.slice(0, 6)))).toBeLessThanOrEqual(80)
  expect(lines[2]).toMatch(/^ {2}\S/)
  expect(lines.slice(3, 6).join(' ')).toMatch(
    /^webshop, Nov 21, \d\d:\d\d-\d\d:\d\d, 8 turns, 41 tool calls \(4 failed/,
  )
  expect(lines).toContainEqual(expect.stringMatching(/^\[1\] You {2}\d\d:\d\d:\d\d$/))
  const failed = lines.findIndex((line) =>
    / x {3}Shell {7}npm test -- price cart +exit 1, never rerun$/.test(line),
  )
  expect(lines[failed + 1]).toMatch(/^ {10}AssertionError: /)
  expect(lines).toContainEqual(expect.stringMatching(/^ {6}ok {2}Edit {8}src\/price\.js +\+3 -1$/))
  expect(Math.max(...widths(lines.filter((line) => line.startsWith('      '))))).toBeLessThanOrEqual(80)
  expect(stderr).toContain('Resume: gemini-dash resume _T3Hl1UaZfrx')
})

test('usage and doctor fit the terminal', async () => {
  for (const args of [['usage'], ['usage', '--by', 'model']]) {
    const { lines } = await onTerminal(80, args)
    expect([args, Math.max(...widths(lines)) <= 80]).toEqual([args, true])
  }
  const { lines, stdout } = await onTerminal(80, ['doctor'])
  expect(lines[0]).toMatch(/^1 of \d+ files couldn't be read\. \d+ sessions found\.$/)
  // short keys, as in the list
  expect(stdout).toMatch(/\n {17}fpoJDz {2}What does this project do\?\n/)
  expect(stdout).toMatch(/\nUnreadable +tmp\/shelf-api\/chats\/session-/)
  expect(lines.at(-1)).toBe('The whole report: gemini-dash doctor --all')
})
