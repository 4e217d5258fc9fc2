import { expect, test } from 'vitest'
import { HeldEvents } from './live-events.ts'

test('however long a tab was hidden, each session and each list is asked again once', () => {
  const held = new HeldEvents()
  for (let times = 0; times < 1_000; times += 1) held.add({ kind: 'changed', sessionKey: 'a' })
  held.add({ kind: 'index' })
  held.add({ kind: 'changed', sessionKey: 'b' })
  held.add({ kind: 'index' })
  expect(held.takeAll().events).toEqual([
    { kind: 'changed', sessionKey: 'a' },
    { kind: 'changed', sessionKey: 'b' },
    { kind: 'index' },
  ])
  expect(held.takeAll().events).toEqual([])
})

test('what happened to a session last is what counts', () => {
  const held = new HeldEvents()
  held.add({ kind: 'removed', sessionKey: 'a' })
  held.add({ kind: 'changed', sessionKey: 'a' })
  expect(held.takeAll().events).toEqual([{ kind: 'changed', sessionKey: 'a' }])
})

test('what was missed is told once', () => {
  const held = new HeldEvents()
  held.missSome()
  expect(held.takeAll()).toEqual({ events: [], areComplete: false })
  expect(held.takeAll()).toEqual({ events: [], areComplete: true })
})
