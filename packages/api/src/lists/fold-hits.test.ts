import { expect, test } from 'vitest'
import { foldHits } from './fold-hits.ts'

const hit = (sessionKey: string, snippet: string, toolName: string | null = null) => ({
  ...{ sessionKey, snippet, toolName },
  field: toolName === null ? ('answer' as const) : ('tool-args' as const),
})

test('equal lines of one session are one, in the place of the first', () => {
  const lines = foldHits([
    hit('a', 'npm test'),
    hit('b', 'npm test'),
    hit('a', 'npm  test\n'),
    hit('a', 'npm test', 'run_shell_command'),
    hit('a', 'npm test'),
  ])
  expect(lines.map(({ hit: { sessionKey, field }, alike }) => [sessionKey, field, alike.length])).toEqual([
    ['a', 'answer', 2],
    ['b', 'answer', 0],
    ['a', 'tool-args', 0],
  ])
})
