import { describe, expect, it } from 'vitest'
import { makeGroup } from '../../test/make-shard.ts'
import { GroupQueue } from './shard-service.ts'

function drain(queue: GroupQueue): string[] {
  const order: string[] = []
  for (let queued = queue.next(); queued !== undefined; queued = queue.next()) {
    order.push(`${queued.group.id}@${queued.group.fingerprint}`)
    queue.done(queued)
  }
  return order
}

describe('GroupQueue', () => {
  it('keeps the order of an update, and lets updates take turns', async () => {
    const queue = new GroupQueue()
    const first = queue.add(1, [makeGroup('a'), makeGroup('b')])
    const second = queue.add(2, [makeGroup('c'), makeGroup('d')])
    expect(drain(queue)).toEqual(['a@1', 'c@1', 'b@1', 'd@1'])
    await Promise.all([first, second])
  })

  it('A3: groups that are asked for again and again keep no other waiting, nor each other', () => {
    const queue = new GroupQueue()
    void queue.add(
      1,
      ['a', 'b', 'c'].map((id) => makeGroup(id)),
    )
    const order: string[] = []
    for (let turn = 2; turn < 12; turn++) {
      for (const live of ['live', 'busy']) void queue.add(turn, [makeGroup(live, `${turn}`)])
      const queued = queue.next()
      if (queued === undefined) break
      order.push(queued.group.id)
      queue.done(queued)
    }
    expect(order).toEqual(['a', 'live', 'busy', 'b', 'live', 'busy', 'c', 'live', 'busy', 'live'])
  })

  it('replaces a waiting group by a later one of the same id', async () => {
    const queue = new GroupQueue()
    const first = queue.add(1, [makeGroup('a', 'old')])
    const second = queue.add(2, [makeGroup('a', 'new')])
    await first
    expect(drain(queue)).toEqual(['a@new'])
    await second
  })

  it('reads a group once that is asked for again while it is being read, and anew where it has changed', async () => {
    const queue = new GroupQueue()
    const first = queue.add(1, [makeGroup('a'), makeGroup('b')])
    const running = queue.next()
    const second = queue.add(2, [makeGroup('a'), makeGroup('c')])
    const third = queue.add(3, [makeGroup('a', 'new')])
    expect(running?.updates.map(({ id }) => id)).toEqual([1, 2])
    if (running !== undefined) queue.done(running)
    expect(drain(queue)).toEqual(['b@1', 'c@1', 'a@new'])
    await Promise.all([first, second, third])
    expect(queue.next()).toBeUndefined()
  })

  it('forgets what was removed, and is done with nothing at once', async () => {
    const queue = new GroupQueue()
    const update = queue.add(1, [makeGroup('a'), makeGroup('b')])
    queue.drop(['a', 'b', 'unknown'])
    expect(drain(queue)).toEqual([])
    await update
    await queue.add(2, [])
  })
})
