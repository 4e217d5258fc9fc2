import { expect, test } from 'vitest'
import { findHome, homeLabels } from './list.ts'

test.each([
  [['/home/ada/.gemini'], ['ada']],
  [
    ['/home/ada/.gemini', '/mnt/server/.gemini'],
    ['ada', 'server'],
  ],
  [
    ['/home/ada/.gemini', '/mnt/backup/ada/.gemini'],
    ['home/ada', 'backup/ada'],
  ],
  [
    ['/home/ada/.gemini', '/home/ada/.cache/.gemini'],
    ['ada', '.cache'],
  ],
  [
    ['/ada/.gemini', '/mnt/ada/.gemini'],
    ['/ada/.gemini', 'mnt/ada'],
  ],
  [
    ['C:/Users/ada/.gemini', 'D:/old'],
    ['ada', 'old'],
  ],
  [
    ['/.gemini', '/a/.gemini'],
    ['.gemini', 'a'],
  ],
  [
    ['/x/ada', '/x/ada/.gemini'],
    ['/x/ada', '/x/ada/.gemini'],
  ],
])('C21: homes %j are called %j, each by a name of its own', (paths, labels) => {
  expect([...homeLabels(paths).values()]).toEqual(labels)
  expect(new Set(labels).size).toBe(labels.length)
  expect(labels.map((label) => findHome(label, paths))).toEqual(paths)
  expect(paths.map((path) => findHome(path, paths))).toEqual(paths)
})
