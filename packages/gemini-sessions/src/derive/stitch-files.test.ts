import { expect, it } from 'vitest'
import { readFixtureFiles } from '../../test/session-files.ts'
import { parseSessionFile } from '../parse/session-file.ts'
import { stitchFiles } from './stitch.ts'

const files = readFixtureFiles()
  .filter(({ path }) => path.startsWith('0.61.0-resumed/') || path.startsWith('0.30.1-interactive/'))
  .map(({ path, bytes }) => ({
    home: '',
    parsed: parseSessionFile({ path, bytes }),
  }))

it('makes one session of a session and the stub that its resume left, and several of several', () => {
  const sessions = stitchFiles(files)
  const roles = sessions.map((session) => session.files.map(({ role }) => role).join(' '))
  expect(files).toHaveLength(roles.join(' ').split(' ').length)
  expect(roles).toContain('current stub')
  expect(sessions.length).toBe(files.length - 1)
})

it('does not depend on the order of the files', () => {
  const keys = (each: typeof files) =>
    stitchFiles(each)
      .map(({ key }) => key)
      .sort()
  expect(keys([...files].reverse())).toEqual(keys(files))
})

it('keeps folders of projects apart, even where ids are equal', () => {
  const copies = files.map(({ parsed, ...file }) => ({
    ...file,
    parsed: { ...parsed, path: parsed.path.replace(/tmp\/[^/]+/, 'tmp/another') },
  }))
  expect(stitchFiles([...files, ...copies])).toHaveLength(stitchFiles(files).length * 2)
})
