import { describe, expect, it } from 'vitest'
import { makeMessage, makeSession, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { editDistance } from './close-words.ts'

describe('closestWords', () => {
  it('finds what was meant by a slip, the closest and most common first', async () => {
    const said = ['needle function', 'needle noodle', 'needless', 'Straße']
    const messages = said.map((content, index) => makeMessage({ key: `m${index}`, content: text(content) }))
    const shard = makeShard(new Map([['g', [makeSession('s', messages)]]]))
    await shard.index(makeGroup('g'))
    const closest = (word: string) => shard.closestWords([word])[0]?.map((one) => one.word)
    expect(closest('needel')).toEqual(['needle'])
    expect(closest('needl')).toEqual(['needle'])
    expect(closest('nedle')).toEqual(['needle', 'noodle'])
    expect(closest('ufnction')).toEqual(['function'])
    expect(closest('strase')).toEqual(['strasse'])
    expect(closest('needle')).toEqual(['needless', 'noodle'])
    expect(closest('xy')).toEqual([])
    shard.close()
  })
})

describe('editDistance', () => {
  it.each([
    ['needle', 'needle', 0],
    ['needel', 'needle', 1],
    ['nedle', 'needle', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['', 'ab', 2],
    ['中文', '中', 1],
  ])('of %j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b, 3)).toBe(distance)
    expect(editDistance(b, a, 3)).toBe(distance)
  })

  it('stops counting above the limit', () => {
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBeGreaterThan(2)
    expect(editDistance('a', 'abcdef', 2)).toBeGreaterThan(2)
  })
})
