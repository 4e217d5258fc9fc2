import { describe, expect, it } from 'vitest'
import { answer, at, logFile, prompt, type Row } from '../../test/make-file.ts'
import { type SessionChanges, sessionChangesSchema } from '../model/insights.ts'
import { ChangeStory } from './change-story.ts'
import { touchedPathName } from './find-file-calls.ts'
import { stitchGroup } from './stitch.ts'
import { summarizeSession } from './summary.ts'

const ROOT = '/home/me/shop'

function sessionOf(rows: Parameters<typeof logFile>[1]) {
  const [session] = stitchGroup([logFile({ start: 1 }, rows)])
  if (session === undefined) throw new Error('no session')
  return session
}

function changesOf(rows: Parameters<typeof logFile>[1]): SessionChanges {
  const session = sessionOf(rows)
  const story = new ChangeStory(session, ROOT)
  for (const message of session.messages) story.add([message])
  return sessionChangesSchema.parse(story.finish())
}

let ids = 0
const call = (name: string, args: object, output: string, fields: object = {}) => {
  const id = `c${++ids}`
  const result = [{ functionResponse: { id, name, response: { output } } }]
  return { id, name, args, status: 'success', timestamp: at(ids), result, ...fields }
}
const shell = (command: string, exitCode: number, said = 'x') =>
  call('run_shell_command', { command }, `Output: ${said}${exitCode === 0 ? '' : `\nExit Code: ${exitCode}`}`)
function edit(file: string, before: string | null, after: string, fields: object = {}) {
  const filePath = `${ROOT}/${file}`
  const fileDiff = `Index: ${file}\n===\n--- ${file}\n+++ ${file}\n@@ -1,1 +1,1 @@\n-${before}\n+${after}`
  const resultDisplay = {
    ...{
      fileDiff,
      fileName: file,
      filePath,
      originalContent: before,
      newContent: after,
      isNewFile: before === null,
    },
    diffStat: { model_added_lines: 1, model_removed_lines: 1 },
  }
  return call('replace', { file_path: filePath }, 'ok', { resultDisplay, ...fields })
}
const step = (...toolCalls: object[]): Row => answer(`m${++ids}`, ids, { content: '', toolCalls })
const told = ({ turns }: SessionChanges) =>
  turns.map(({ number, prompt: text, steps }) => [
    number,
    text,
    ...steps.map((each) =>
      each.kind === 'edit' ? `${each.name} ${each.state}` : `${each.command} ${each.state}`,
    ),
  ])

describe('the changes of a session', () => {
  it('are its edits and commands in the order of the record, by prompt', () => {
    const changes = changesOf([
      prompt('p1', 1, 'Move the cart'),
      step(shell('npm run build', 0), edit('tsconfig.json', 'a', 'b'), edit('src/cart.ts', 'a', 'b')),
      step(call('read_file', { file_path: 'x' }, 'a'), shell('npm run build', 1)),
      prompt('p2', 50, 'thanks'),
      step(call('read_file', { file_path: 'x' }, 'a')),
      prompt('p3', 60, 'rename it'),
      step(edit('src/cart.ts', 'b', 'c'), shell('npm test', 0)),
    ])
    expect(told(changes)).toEqual([
      [
        1,
        'Move the cart',
        'npm run build worked',
        'tsconfig.json stands',
        'src/cart.ts gone',
        'npm run build failed',
      ],
      [3, 'rename it', 'src/cart.ts stands', 'npm test worked'],
    ])
    expect(changes.files.map(({ name, edits }) => [name, edits])).toEqual([
      ['tsconfig.json', 1],
      ['src/cart.ts', 2],
    ])
    expect(changes.counts).toEqual({
      edits: 3,
      commands: 3,
      failedCommands: 1,
      linesAdded: 3,
      linesRemoved: 3,
    })
  })

  it('begin before the first prompt where something was done there', () => {
    expect(told(changesOf([step(shell('ls', 0)), prompt('p1', 1)]))).toEqual([[0, '', 'ls worked']])
  })

  it('have the hunks of each edit; of versions that recorded none, the lines that went and came', () => {
    const pieces = { file_path: 'a.ts', old_string: 'one\ntwo\nend', new_string: 'one\nthree\nfour\nend' }
    const long = 'line\n'.repeat(5_000)
    const { turns } = changesOf([
      prompt('p1', 1),
      step(edit('b.ts', 'x', 'y'), call('replace', pieces, 'ok')),
      step(call('write_file', { file_path: 'c.ts', content: long }, 'ok')),
    ])
    const diffs = turns.flatMap(({ steps }) => steps.map((each) => (each.kind === 'edit' ? each.diff : null)))
    expect(diffs.slice(0, 2)).toEqual([
      { text: '@@ -1,1 +1,1 @@\n-x\n+y', isCut: false },
      { text: '-two\n+three\n+four', isCut: false },
    ])
    expect([diffs[2]?.isCut, diffs[2]?.text.split('\n').every((line) => line === '+line')]).toEqual([
      true,
      true,
    ])
    expect(diffs[2]?.text.length).toBeLessThanOrEqual(6_000)
  })

  it('name for each failed command the edits since it last worked', () => {
    const { turns } = changesOf([
      prompt('p1', 1),
      step(shell('npm run build', 1)),
      step(
        shell('npm run build', 0),
        edit('a', 'x', 'y'),
        edit('b', 'x', 'y'),
        edit('no', 'x', 'y', { status: 'error' }),
      ),
      step(edit('a', 'y', 'z'), shell('npm run build', 1), edit('c', 'x', 'y')),
      step(shell('npm run build', 2), shell('ls x', 3)),
    ])
    const failed = turns[0]?.steps.flatMap((each) =>
      each.kind === 'command' && each.state === 'failed' ? each : [],
    )
    expect(
      failed?.map(({ command, fate, exitCode, sinceWorked, isFirstFailure, isLastRun }) => [
        ...[command, fate, exitCode, sinceWorked?.count, sinceWorked?.files, isFirstFailure, isLastRun],
      ]),
    ).toEqual([
      ['npm run build', 'laterSucceeded', 1, undefined, undefined, true, false],
      ['npm run build', 'stillFailing', 1, 3, ['a', 'b'], true, false],
      ['npm run build', 'stillFailing', 2, 4, ['a', 'b', 'c'], false, true],
      ['ls x', 'neverRerun', 3, undefined, undefined, true, true],
    ])
  })

  it('agree with the verdict on when a command broke', () => {
    const rows = [
      prompt('p1', 1),
      step(shell('npm test', 0), edit('a', 'x', 'y')),
      step(shell('npm test', 1), edit('a', 'y', 'z'), shell('npm test', 1)),
      answer('end', 900),
    ]
    const project = { key: 'k', name: 'shop', path: null }
    const { verdict } = summarizeSession(sessionOf(rows), { project, priceCall: () => 1 })
    const first = changesOf(rows).turns[0]?.steps.find(
      (each) => each.kind === 'command' && each.state === 'failed',
    )
    if (first?.kind !== 'command') throw new Error('no failed command')
    const { worked, ...edits } = first.sinceWorked ?? {}
    const named = verdict?.open?.edits?.files.map((file) => touchedPathName(file, ROOT))
    expect([worked, edits]).toEqual([
      verdict?.open?.worked,
      { count: verdict?.open?.edits?.count, files: named },
    ])
    expect(edits).toEqual({ count: 1, files: ['a'] })
  })

  it('leave out what was recorded twice, and mark what was rewound, which counts nowhere', () => {
    const twice = step(edit('a', 'x', 'y'), shell('npm test', 0))
    const again = { ...twice, id: 'again' }
    const rows = [
      prompt('p1', 1),
      twice,
      again,
      prompt('p2', 50),
      step(edit('b', 'x', 'y'), shell('npm test', 1)),
    ]
    const changes = changesOf([...rows, { $rewindTo: 'p2' }])
    expect(changes.turns.map(({ steps }) => steps.map(({ superseded }) => superseded))).toEqual([
      [null, null],
      ['rewound', 'rewound'],
    ])
    expect(changes.files.map(({ name }) => name)).toEqual(['a'])
    const [, last] = changes.turns[1]?.steps ?? []
    expect(last).toMatchObject({ state: 'failed', fate: null, sinceWorked: null, isLastRun: false })
  })

  it('say of a command that did not run to its end that nothing is known of it', () => {
    const left = call(
      'run_shell_command',
      { command: 'npm start' },
      'Command is running in background. PID: 7',
    )
    const unanswered = { ...shell('npm test', 0), status: 'executing', result: [] }
    expect(
      told(changesOf([prompt('p1', 1), step(left, { ...shell('x', 0), status: 'cancelled' }, unanswered)])),
    ).toEqual([[1, 'prompt p1', 'npm start left', 'x cancelled', 'npm test unanswered']])
  })
})

describe('the line of a failed command that says most', () => {
  const said = (output: string) => {
    const [turn] = changesOf([prompt('p1', 1), step(shell('npm run build', 1, output))]).turns
    const [first] = turn?.steps ?? []
    return first?.kind === 'command' ? first.said : undefined
  }

  it('is the first that names an error, else the last', () => {
    expect(
      said('> vite build\nerror during build:\nRollupError: Could not resolve "./cart.js"\n1 problem'),
    ).toBe('RollupError: Could not resolve "./cart.js"')
    expect(said('checking\n\n3 of 4 done\n')).toBe('3 of 4 done')
    expect(said('TS2304: Cannot find name')).toBe('TS2304: Cannot find name')
  })

  it('is none of the lines that Gemini CLI writes around the output', () => {
    const old =
      'Command: a\nDirectory: (root)\nStdout: (empty)\nStderr: ls: no such file\nError: (none)\nExit Code: 2'
    expect(said(`(empty)\n${old}`)).toBe('ls: no such file')
    expect(said('(empty)')).toBeNull()
  })
})
