import { expect, test } from 'vitest'
import { fixtureHome } from '../../test/open-test-server.ts'
import { runProgram } from '../../test/run-program.ts'

const run = (...args: string[]) =>
  runProgram(['usage', ...args, '--home', fixtureHome('0.61.0'), '--no-cache', '--tz', 'UTC'])

test('--csv prints lines for a spreadsheet and nothing else', async () => {
  const { code, stdout, stderr } = await run('--csv', '--split', 'model')
  expect([code, stderr]).toEqual([0, ''])
  const [head, ...lines] = stdout.trimEnd().split('\r\n')
  expect(head).toMatch(/^day,model,sessions,calls,/)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d,[^,]+,\d+,\d+,/)
})

test('--csv together with --json is refused, as it means nothing', async () => {
  const { code, stdout, stderr } = await run('--csv', '--json')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('--csv and --json exclude each other.')
})
