import type { TrackerTask } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { orderTasks } from './session-files.tsx'

const task = (id: string, parentId: string | null = null): TrackerTask => ({
  id,
  parentId,
  title: id,
  description: '',
  type: 'task',
  status: 'open',
  dependencies: [],
  scope: 'session',
  file: { id, home: '/h', path: `${id}.json`, sizeBytes: 1, modifiedTime: '2026-11-21T20:30:00.000Z' },
})
const order = (...tasks: TrackerTask[]) =>
  orderTasks(tasks).map(({ task: { id }, isNested }) => [id, isNested])

test('subtasks stand below what they are part of', () => {
  expect(order(task('b', 'a'), task('x'), task('a'), task('c', 'b'))).toEqual([
    ['x', false],
    ['a', false],
    ['b', true],
    ['c', true],
  ])
})

test('no task is lost: a parent that is not there, a circle of parents', () => {
  expect(order(task('a', 'gone'), task('b', 'c'), task('c', 'b'), task('d', 'd'))).toEqual([
    ['a', false],
    ['b', false],
    ['c', true],
    ['d', false],
  ])
})
