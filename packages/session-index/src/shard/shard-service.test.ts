import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeMessage, makeSession, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import type { ShardMessage } from './shard-message.ts'
import { ShardService } from './shard-service.ts'

it('A3: a group that is asked for while a slow disk keeps what was read before is read', async () => {
  const shard = makeShard(
    new Map([['g', [makeSession('s', [makeMessage({ key: 'm', content: text('hello') })])]]]),
  )
  const commit = shard.commit.bind(shard)
  let update = (_: string) => Promise.resolve()
  let asked: Promise<void> | null = null
  shard.commit = async () => {
    await commit()
    asked ??= update('2')
    await setTimeout(20)
  }
  const service = new ShardService(shard, () => {})
  let id = 0
  update = (fingerprint) =>
    service.handle({ id: ++id, name: 'update', argument: [makeGroup('g', fingerprint)] })
  await update('1')
  await asked
  expect(shard.store.held()).toEqual([['g', '2']])
  await service.handle({ id: ++id, name: 'close', argument: null })
})

it('A2: a group that is removed while it is being read is gone', async () => {
  const shard = makeShard(
    new Map([['g', [makeSession('s', [makeMessage({ key: 'm', content: text('hello') })])]]]),
    { loadReader: () => setTimeout(20) },
  )
  const service = new ShardService(shard, () => {})
  const updated = service.handle({ id: 1, name: 'update', argument: [makeGroup('g')] })
  await service.handle({ id: 2, name: 'remove', argument: ['g'] })
  await updated
  expect(shard.store.held()).toEqual([])
  await service.handle({ id: 3, name: 'close', argument: null })
})

it('while somebody waits for a session that is opened, nothing is read and searches are answered', async () => {
  let goOn = () => {}
  const isOpen = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let asked = 0
  const read: string[] = []
  const session = makeSession('s', [makeMessage({ key: 'm', content: text('hello') })])
  const shard = makeShard(new Map(), {
    giveWay: () => {
      asked += 1
      return isOpen
    },
    readGroup: async ({ id }) => {
      read.push(id)
      return [session]
    },
  })
  const told: ShardMessage[] = []
  const service = new ShardService(shard, (message) => told.push(message))
  const updated = service.handle({ id: 1, name: 'update', argument: [makeGroup('g')] })
  await service.handle({ id: 2, name: 'closestWords', argument: ['helo'] })
  expect(told.filter(({ kind }) => kind === 'answer')).toEqual([{ kind: 'answer', id: 2, answer: [[]] }])
  await expect.poll(() => asked).toBeGreaterThan(0)
  expect(read).toEqual([])
  goOn()
  await updated
  expect(read).toEqual(['g'])
  await service.handle({ id: 3, name: 'close', argument: null })
})
