import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { fixtureHome } from '../../test/open-test-server.ts'
import { startProgram } from '../../test/run-program.ts'
import { ignoreRelativeFolders } from './user-folders.ts'

test('a home or an XDG folder that is empty or relative is none', () => {
  const kept = { HOME: '/home/mia', XDG_DATA_HOME: '/data', XDG_DATA_DIRS: 'a:b', GEMINI_CLI_HOME: 'work' }
  for (const folder of ['', '.', 'home', './home', '../home', '~']) {
    const env = { ...kept, USERPROFILE: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder }
    ignoreRelativeFolders(env)
    expect(env).toEqual(kept)
    const homeless = { HOME: folder }
    ignoreRelativeFolders(homeless)
    expect(homeless).toEqual({})
  }
})

test('nothing is written below the current folder, whatever folders the environment names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  try {
    const [here, home] = [join(folder, 'here'), join(folder, 'home')]
    const env = { HOME: home, XDG_CACHE_HOME: 'cache', XDG_DATA_HOME: './data', XDG_STATE_HOME: '' }
    const inFolder = ['/bin/sh', '-c', 'mkdir "$0" && cd "$0" && exec "$@"', here]
    const args = ['list', '--json', '--home', fixtureHome('0.61.0')]
    const { code } = await startProgram(args, env, inject('program'), inFolder).finished
    expect([code, readdirSync(here)]).toEqual([0, []])
    expect(readdirSync(home, { recursive: true })).toContain(join('.cache', 'gemini-dash'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
