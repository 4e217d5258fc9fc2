import type { Project } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { findProjects } from './projects.ts'
import { resolveKey } from './sync/resolve-key.ts'

const project = (key: string, name: string, path: string | null, folder = name): Project => ({
  key,
  name,
  nameSource: 'path',
  path,
  pathSource: path === null ? 'none' : 'marker',
  candidates: [],
  about: null,
  isPathGone: null,
  folders: [`/home/mia/.gemini/tmp/${folder}`],
  sessions: 1,
  emptySessions: 0,
  usage: null,
  cost: null,
  lastActivity: null,
})

describe('the projects that a word means', () => {
  const projects = [
    project('k1', 'webshop', '/home/mia/code/webshop'),
    project('k2', 'webshop-api', '/home/mia/code/webshop-api'),
    project('k3', '料理ノート', '/home/mia/code/料理ノート', 'project'),
    project('k4', '8876362f…', null, '8876362f'),
  ]
  const found = (wanted: string) => [...findProjects(projects, wanted)]

  it('are those of exactly that key, path, name or folder before those of a part of it', () => {
    expect(found('k2')).toEqual(['k2'])
    expect(found('webshop')).toEqual(['k1'])
    expect(found('/home/mia/code/webshop/')).toEqual(['k1'])
    expect(found('project')).toEqual(['k3'])
    expect(found('8876362f')).toEqual(['k4'])
  })

  it('are all those with that part, or at last with its letters in order', () => {
    expect(found('shop')).toEqual(['k1', 'k2'])
    expect(found('WSA')).toEqual(['k2'])
    expect(found('料理')).toEqual(['k3'])
    expect(found('nothing')).toEqual([])
  })

  it('are those of several names where nothing is called as the whole', () => {
    expect(found('webshop, k3')).toEqual(['k1', 'k3'])
    const comma = project('k5', 'webshop, old', '/home/mia/old')
    expect([...findProjects([...projects, comma], 'webshop, old')]).toEqual(['k5'])
  })
})

describe('the session that a key means', () => {
  const sessions = [
    { key: 'AbCdEfGhIjKl', sessionId: '4363c94e-b2c5-4034', ownKeys: ['AbCdEfGhIjKl', 'twinOfTheFst'] },
    { key: 'MnOpQrStUvWx', sessionId: 'a2a-server', ownKeys: ['MnOpQrStUvWx'] },
    { key: 'YzYzYzYzYzYz', sessionId: 'a2a-server', ownKeys: ['YzYzYzYzYzYz'] },
  ]

  it('M6: is found by its key, the key of any of its files, its id, and a unique beginning of any length', () => {
    const own = ['AbCdEfGhIjKl', 'twinOfTheFst', '4363c94e-b2c5-4034']
    for (const text of [...own, ...own.flatMap((each) => [1, 2, 3, 8].map((end) => each.slice(0, end)))]) {
      expect(resolveKey(sessions, text)).toEqual({ kind: 'one', key: 'AbCdEfGhIjKl' })
    }
  })

  it('is not guessed when several share the id', () => {
    expect(resolveKey(sessions, 'a2a-server')).toEqual({
      kind: 'ambiguous',
      keys: ['MnOpQrStUvWx', 'YzYzYzYzYzYz'],
    })
    expect(resolveKey(sessions, 'a')).toMatchObject({ kind: 'ambiguous' })
  })

  it('is none for an unknown text, or none at all', () => {
    for (const text of ['nope', '4363c94e-b2c5-4034-', ''])
      expect(resolveKey(sessions, text)).toEqual({ kind: 'none' })
  })
})
