import { expect, test } from 'vitest'
import { fileRows } from './session-files.tsx'

const file = (path: string) => ({
  id: path,
  home: '/h',
  path,
  sizeBytes: 1,
  modifiedTime: '2026-11-21T20:30:00.000Z',
})

test('files of every kind are rows that say what they are, also those that are gone', () => {
  const rows = fileRows({
    savedOutputs: [
      { name: 'a.txt', callId: 'c', messageKey: 'm1', toolName: 'run_shell_command', file: file('p/a.txt') },
      { name: 'b.txt', callId: null, messageKey: null, toolName: null, file: null },
    ],
    images: [{ name: 'clipboard-1.png', messageKey: 'm2', file: null }],
    plans: [],
    tasks: [],
    restorePoints: [
      {
        scope: 'project',
        file: file('p/checkpoints/r.json'),
        time: null,
        toolName: 'replace',
        targetName: 'price.js',
        commit: 'c0ffee1234',
      },
    ],
    typedOnly: [],
    otherFiles: [file('p/s/tasks/1.log')],
    leftOut: 0,
  })
  expect(rows.map(({ kind, name, remark, isShared }) => [kind, name, remark, isShared])).toEqual([
    ['Saved output', 'a.txt', 'of Shell', false],
    ['Saved output', 'b.txt', 'of a call that is not recorded', false],
    ['Pasted picture', 'clipboard-1.png', '', false],
    ['Restore point', 'r.json', 'before Edit of price.js, commit c0ffee12', true],
    ['Other file', '1.log', '', false],
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})
