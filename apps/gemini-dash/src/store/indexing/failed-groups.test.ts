import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FailedGroups } from './failed-groups.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('R56: a session over which threads died is read again, for that may have had another cause', () => {
  const retried: string[] = []
  const failed = new FailedGroups((groupId) => retried.push(groupId))
  failed.add('group')
  vi.advanceTimersByTime(9_000)
  expect(retried).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(retried).toEqual(['group'])
  failed.delete('group')
  vi.advanceTimersByTime(3_600_000)
  expect([retried, failed.has('group')]).toEqual([['group'], false])
})

it('R56: what kills each thread that reads it is not tried for ever', () => {
  const retried: string[] = []
  const failed = new FailedGroups((groupId) => {
    retried.push(groupId)
    failed.add(groupId)
  })
  failed.add('group')
  // Found failed again beside its turn.
  failed.add('group')
  vi.advanceTimersByTime(24 * 3_600_000)
  expect([retried.length, failed.has('group')]).toEqual([3, true])
})

it('nothing is tried after the end', () => {
  const retried: string[] = []
  const failed = new FailedGroups((groupId) => retried.push(groupId))
  failed.add('group')
  failed.close()
  failed.add('other')
  vi.advanceTimersByTime(3_600_000)
  expect(retried).toEqual([])
})
