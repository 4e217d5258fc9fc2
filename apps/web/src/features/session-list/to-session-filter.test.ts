import { expect, test } from 'vitest'
import { toSessionFilter } from './session-list.tsx'

const now = new Date('2026-11-02T00:10:00')

test('a range of n days is today and the n - 1 days before', () => {
  expect(toSessionFilter({ range: 'today' }, undefined, now).from).toBe('2026-11-02')
  expect(toSessionFilter({ range: '7d' }, undefined, now).from).toBe('2026-10-27')
})

test('days that are named are asked for as they are, unless a range is chosen', () => {
  const days = { from: '2026-10-01', to: '2026-10-08' }
  expect(toSessionFilter(days, undefined, now)).toMatchObject(days)
  const both = toSessionFilter({ ...days, range: 'today' }, undefined, now)
  expect([both.from, both.to]).toEqual(['2026-11-02', undefined])
})

test('T9: a filter that is not set asks for nothing but that empty sessions are left out', () => {
  const set = (filter: object) => Object.entries(filter).filter(([, value]) => value !== undefined)
  expect(set(toSessionFilter({}, undefined, now))).toEqual([['empty', 'exclude']])
  expect(set(toSessionFilter({ kind: 'empty' }, undefined, now))).toEqual([['kind', 'empty']])
  expect(set(toSessionFilter({ kind: 'all' }, undefined, now))).toEqual([['kind', 'all']])
})

test('the title filter and the project go to the server under its names', () => {
  expect(toSessionFilter({ q: 'price', has: 'errors' }, 'webshop', now)).toMatchObject({
    title: 'price',
    has: 'errors',
    project: 'webshop',
  })
})

test('tools and attachments are asked for under the names of the server', () => {
  const asked = toSessionFilter({ tool: 'read_file', attachments: 'yes' }, undefined, now)
  expect(asked).toMatchObject({ tool: 'read_file', attachments: 'true' })
})

test('the program that recorded the sessions is asked for as it is chosen', () => {
  expect(toSessionFilter({ source: 'antigravity-cli' }, undefined, now).source).toBe('antigravity-cli')
})
