import type { PlacedPiece } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { makeMessage, makeToolCall } from '../../../../fixtures/message.ts'
import { describePiece } from './reason-finder.ts'

const PIECE: PlacedPiece = {
  messageKey: 'm',
  offset: 0,
  turn: 1,
  block: 2,
  kind: 'tool-result',
  name: '',
  label: '',
  call: 0,
  tokens: 9_000,
}

const adviceFor = (name: string, args: unknown) =>
  describePiece(PIECE, makeMessage({ toolCalls: [makeToolCall({ name, args })] })).advice

it.each([
  ['cat exports/2026-*.csv', 'print-less'],
  ['cd app && npm test', 'print-less'],
  ['wc -l a.csv && cat a.csv', 'print-less'],
  ['cat a.csv | head -n 5', null],
  ['grep -rn price src', null],
  ['cd app && npm test --silent', null],
  ['npm run build > build.log 2>&1', null],
  ['', null],
])('advises to print less only where the command %j printed all', (command, advice) => {
  expect(adviceFor('run_shell_command', { command })).toBe(advice)
})

it.each([
  ['read_file', { file_path: 'a.ts' }, 'name-lines'],
  ['read_file', { file_path: 'a.ts', start_line: 1, end_line: 900 }, null],
  ['read_file', { absolute_path: '/a.ts', offset: 0, limit: 2_000 }, null],
  ['read_many_files', { paths: ['src/**/*.ts'] }, 'name-files'],
  ['read_many_files', { include: 'abcdefghi'.split('') }, 'name-files'],
  ['read_many_files', { paths: ['a.ts', 'b.ts'] }, null],
  ['grep_search', { pattern: 'price' }, 'narrow-search'],
  ['grep_search', { pattern: 'price', dir_path: 'src' }, null],
  ['web_fetch', { prompt: 'https://example.com' }, null],
  ['mcp_db_query', { sql: 'select 1' }, null],
])('advises for %s with %j what that call did not do', (name, args, advice) => {
  expect(adviceFor(name, args)).toBe(advice)
})

it('knows prompts and attached files', () => {
  const message = makeMessage({ type: 'user' })
  const of = (kind: PlacedPiece['kind'], name: string) =>
    describePiece({ ...PIECE, kind, name, call: null }, message)
  expect(of('prompt', '')).toMatchObject({ of: 'prompt', advice: 'save-prompt' })
  expect(of('file', 'a.md')).toMatchObject({ of: 'attachment', label: 'a.md', advice: 'attach-less' })
  expect(of('tool-result', '')).toMatchObject({ of: 'tool', advice: null })
})

it('cuts a command between its words, so that what is secret in it stays whole', () => {
  const labelOf = (command: string) =>
    describePiece(
      PIECE,
      makeMessage({ toolCalls: [makeToolCall({ name: 'run_shell_command', args: { command } })] }),
    ).label
  const secret = `ghp_${'a'.repeat(36)}`
  expect(labelOf(`curl -H "Authorization: token ${secret}" https://example.com/${'b'.repeat(60)}`)).toBe(
    `curl -H "Authorization: token ${secret}" …`,
  )
  expect(labelOf(`${'c'.repeat(60)} ${secret}`)).toBe(`${'c'.repeat(60)} …`)
  expect(labelOf('d'.repeat(2_000))).toBe('')
  expect(labelOf('cat  a.csv')).toBe('cat a.csv')
})
