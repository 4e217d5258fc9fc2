import { expect, it } from 'vitest'
import { groupFiles } from './files.ts'

const NAME = 'session-2026-11-21T20-30-3e3ec711.jsonl'
const file = (path: string, sessionId: string | null, projectKey = 'shop') => ({
  path,
  sessionId,
  projectKey,
})
const pathsOf = (files: Parameters<typeof groupFiles>[0]) =>
  [...groupFiles(files).values()].map((group) => group.map(({ path }) => path))

it('a file that was put aside goes with the one written in its place, also if its own id cannot be read', () => {
  const files = [
    file(`tmp/shop/chats/${NAME}.unreadable-1795293056000`, null),
    file(`tmp/shop/chats/${NAME}`, '3e3ec711'),
    file(`tmp/shop/chats/${NAME}.unreadable-1795293056001`, '3e3ec711'),
  ]
  expect(pathsOf(files)).toEqual([files.map(({ path }) => path)])
  expect(pathsOf([...files].reverse()).map((group) => group.length)).toEqual([3])
})

it('a file that was put aside and tells its own id goes with that id, whatever was written in its place', () => {
  const files = [
    file(`tmp/shop/chats/${NAME}.unreadable-1795293056000`, 'another'),
    file(`tmp/shop/chats/${NAME}`, '3e3ec711'),
    file('tmp/shop/chats/session-2026-11-20T10-00-another1.jsonl', 'another'),
  ]
  expect(pathsOf(files)).toEqual([[files[0]?.path, files[2]?.path], [files[1]?.path]])
})

it('a file without an id that was not put aside stands alone, as does one of another project', () => {
  const files = [
    file(`tmp/shop/chats/${NAME}`, '3e3ec711'),
    file(`tmp/shop/chats/${NAME.replace('.jsonl', '.json')}`, null),
    file(`tmp/other/chats/${NAME}.unreadable-1`, null, 'other'),
  ]
  expect(pathsOf(files)).toEqual(files.map(({ path }) => [path]))
})
