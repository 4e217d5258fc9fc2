import { stitchGroup } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { answer, at, logFile, prompt } from '../../../gemini-sessions/test/make-file.ts'
import { explainWhy } from './explain-why.ts'
import { ReasonFinder } from './reason-finder.ts'

type Rows = Parameters<typeof logFile>[1]

/** For a log as written by Gemini CLI: each line by its cause, with its advice. */
function causesOf(rows: Rows): (string | null)[][] {
  const [session] = stitchGroup([logFile({ start: 0 }, rows)])
  if (session === undefined) throw new Error('no session')
  const finder = new ReasonFinder(session)
  finder.add(session.messages)
  const { reasons } = finder.finish()
  const parts = reasons === null ? [] : [{ key: session.key, title: '', reasons }]
  return explainWhy(session.key, parts).lines.map(({ cause, advice }) => [cause, advice])
}

const tokens = (input: number, cached = 0) => ({
  content: '',
  tokens: { input, output: 10, cached, thoughts: 0, tool: 0, total: input + 10 },
})

function called(id: string, name: string, args: object, output: string) {
  const response = { functionResponse: { id, name, response: { output } } }
  return { toolCalls: [{ id, name, args, status: 'success', timestamp: at(1), result: [response] }] }
}

const printed = (length: number, command = 'cat a.csv') =>
  called('c1', 'run_shell_command', { command }, 'x'.repeat(length))

const PRINT_LESS = 'Print only what you need (head, grep), or have a script read the file.'
const UNCHANGED = 'Tell Gemini that the files have not changed.'

// each pair: the record with the cause, and the same without it
it('says of one large result what would have made it smaller, and nothing of a small one', () => {
  const session = (length: number, command?: string): Rows => [
    prompt('p1', 1),
    answer('a1', 2, { ...printed(length, command), ...tokens(8_000) }),
    answer('a2', 3, tokens(8_000 + length / 4)),
  ]
  expect(causesOf(session(80_000))).toContainEqual(['large-result', PRINT_LESS])
  expect(causesOf(session(80_000, 'cat a.csv | head -n 900'))).toContainEqual(['large-result', null])
  expect(causesOf(session(800))).toEqual([['turns', null]])
})

it('says of requests above 200k that a compression would have helped, where a turn began there', () => {
  const session = (input: number): Rows => [
    prompt('p1', 1),
    answer('a1', 2, tokens(input)),
    prompt('p2', 3),
    answer('a2', 4, tokens(input)),
  ]
  const compress = 'Compress the conversation (/compress) or start a new session earlier.'
  expect(causesOf(session(210_000))).toEqual([['above-tier', compress]])
  expect(causesOf(session(200_000)).flat()).not.toContain(compress)
})

it('says of a file that was read again that it had not changed, unless something may have changed it', () => {
  const read = (id: string) => called(id, 'read_file', { file_path: 'a.ts' }, 'text')
  const session = (...between: Rows): Rows => [
    prompt('p1', 1),
    answer('a1', 2, { ...read('c1'), ...tokens(8_000) }),
    ...between,
    answer('a3', 4, { ...read('c3'), ...tokens(8_100) }),
    answer('a4', 5, tokens(8_200)),
  ]
  const edit = called('c2', 'replace', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, 'done')
  expect(causesOf(session())).toContainEqual(['repeated-reads', UNCHANGED])
  expect(causesOf(session(answer('a2', 3, { ...edit, ...tokens(8_050) }))).flat()).not.toContain(UNCHANGED)
})

it('names a turn that was rewound, and no other', () => {
  const session = (...rewind: Rows): Rows => [
    prompt('p1', 1),
    answer('a1', 2, tokens(8_000)),
    prompt('p2', 3),
    answer('a2', 4, tokens(8_100)),
    ...rewind,
    prompt('p3', 5),
    answer('a3', 6, tokens(8_100)),
  ]
  expect(causesOf(session({ $rewindTo: 'p2' }))).toContainEqual(['rewound', null])
  expect(causesOf(session()).flat()).not.toContain('rewound')
})

it('names a cold cache after a break, and none where there was no break or the cache was warm', () => {
  const session = (breakMinutes: number, cached: number): Rows => [
    prompt('p1', 1),
    answer('a1', 2, tokens(8_000)),
    answer('a2', 3, tokens(8_100, 7_800)),
    answer('a3', 4, tokens(8_200, 7_900)),
    prompt('p2', 4 + breakMinutes),
    answer('a4', 5 + breakMinutes, tokens(8_300, cached)),
  ]
  const advice = 'Finish a task before the break.'
  expect(causesOf(session(120, 0))).toContainEqual(['cold-cache', advice])
  expect(causesOf(session(1, 0)).flat()).not.toContain(advice)
  expect(causesOf(session(120, 8_000)).flat()).not.toContain(advice)
})

it('advises to batch prompts only where they are many and short', () => {
  const session = (turns: number, text: string): Rows =>
    Array.from({ length: turns }, (_, turn) => [
      prompt(`p${turn}`, turn * 2, text),
      answer(`a${turn}`, turn * 2 + 1, tokens(8_000 + turn * 50)),
    ]).flat()
  const advice = 'Batch small tasks in one prompt.'
  expect(causesOf(session(12, 'next one'))).toEqual([['small-prompts', advice]])
  expect(causesOf(session(4, 'next one')).flat()).not.toContain(advice)
  expect(causesOf(session(12, 'y'.repeat(500))).flat()).not.toContain(advice)
})

it('knows no reason where nothing has a price', () => {
  expect(causesOf([prompt('p1', 1), answer('a1', 2, { ...tokens(8_000), model: 'secret-model' })])).toEqual(
    [],
  )
})
