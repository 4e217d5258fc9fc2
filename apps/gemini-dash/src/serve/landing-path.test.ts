import { win32 } from 'node:path'
import type { Project } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { pathStyle } from '../paths.ts'
import { landingPath } from './greet.ts'

const project = (key: string, path: string | null): Project => ({
  key,
  name: key,
  nameSource: 'path',
  path,
  pathSource: path === null ? 'none' : 'marker',
  candidates: [],
  about: null,
  isPathGone: null,
  folders: [],
  sessions: 1,
  emptySessions: 0,
  usage: null,
  cost: null,
  lastActivity: null,
})
const PROJECTS = [project('outer', '/code'), project('inner', '/code/app'), project('unknown', null)]

test.each([
  ['/code', '/p/outer'],
  ['/code/app', '/p/inner'],
  ['/code/app/src', '/p/inner'],
  ['/code/application', '/p/outer'],
  ['/elsewhere', '/'],
  [null, '/'],
])('from %s the dashboard opens on %s', (folder, path) => {
  expect(landingPath(PROJECTS, folder)).toBe(path)
})

test('B7: on Windows too, however the CLI and the terminal spell the folder', () => {
  const projects = [project('app', 'C:\\Users\\ada\\code\\app')]
  const windows = pathStyle(win32, 'win32')
  expect(landingPath(projects, 'c:\\users\\ada\\Code\\app\\src', windows)).toBe('/p/app')
  expect(landingPath(projects, 'C:\\Users\\ada\\code\\application', windows)).toBe('/')
})
