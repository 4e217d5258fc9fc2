import type { Project } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { landingPath } from './landing-path.ts'

const project = (key: string, path: string | null): Project => ({
  key,
  name: key,
  nameSource: 'path',
  path,
  pathSource: path === null ? 'none' : 'marker',
  candidates: [],
  isPathGone: null,
  folders: [],
  sessions: 1,
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
