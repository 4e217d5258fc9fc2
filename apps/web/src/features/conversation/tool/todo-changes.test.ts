import { describe, expect, test } from 'vitest'
import { todoChanges } from './output-body.tsx'

const todo = (description: string, status = 'pending') => ({ description, status })
const changesOf = (...lists: Parameters<typeof todoChanges>) =>
  todoChanges(...lists).map(({ description, status, change }) => [description, status, change])

describe('what changed in a todo list', () => {
  test('is nothing where there is no list before', () => {
    expect(changesOf([todo('Read')], undefined)).toEqual([['Read', 'pending', null]])
  })

  test('is each task that is new, in another state, or gone', () => {
    const before = [todo('Read', 'in_progress'), todo('Fix'), todo('Ask')]
    const now = [todo('Read', 'completed'), todo('Fix'), todo('Test')]
    expect(changesOf(now, before)).toEqual([
      ['Read', 'completed', 'moved'],
      ['Fix', 'pending', null],
      ['Test', 'pending', 'added'],
      ['Ask', 'pending', 'removed'],
    ])
  })

  test('tasks below others keep their depth, and are the same task at any depth', () => {
    const [, child] = todoChanges([todo('Epic'), todo('  Bug')], [todo('Bug')])
    expect(child).toMatchObject({ description: 'Bug', depth: 1, change: null })
  })
})
