import { expect, it } from 'vitest'
import { makeMessage, makeSession, makeToolCall } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import type { Shard } from '../shard/shard.ts'
import { mostTouched } from './find-rows.ts'

async function shardOf(...messages: string[][]): Promise<Shard> {
  const session = makeSession(
    's',
    messages.map((paths, index) =>
      makeMessage({
        key: `m${index}`,
        type: 'gemini',
        toolCalls: paths.map((path) => makeToolCall({ args: { file_path: path } })),
      }),
    ),
  )
  const shard = makeShard(new Map([['s', [session]]]))
  await shard.index(makeGroup('s'))
  return shard
}

it('are the paths with what was typed, in any case and with either slash, by messages', async () => {
  const shard = await shardOf(
    ['src/Cart.ts', 'src/Cart.ts'],
    ['src/Cart.ts', 'src/price.ts'],
    ['docs/cart.md'],
    ['src/price.ts'],
  )
  expect(shard.touchedPaths('CART')).toEqual([
    { path: 'src/Cart.ts', messages: 2 },
    { path: 'docs/cart.md', messages: 1 },
  ])
  expect(shard.touchedPaths('src\\p')).toEqual([{ path: 'src/price.ts', messages: 2 }])
  expect(shard.touchedPaths('').map(({ path }) => path)).toEqual([
    'src/Cart.ts',
    'src/price.ts',
    'docs/cart.md',
  ])
  expect(shard.touchedPaths('nowhere')).toEqual([])
})

it('of several shards are one list, each path once', async () => {
  const shards = [await shardOf(['a.ts'], ['b.ts']), await shardOf(['b.ts'])]
  expect(mostTouched(shards.flatMap((shard) => shard.touchedPaths('')))).toEqual([
    { path: 'b.ts', messages: 2 },
    { path: 'a.ts', messages: 1 },
  ])
})
