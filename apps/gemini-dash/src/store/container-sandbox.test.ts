import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findSandboxes } from './installed-cli.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gemini-dash-sandbox-'))
  mkdirSync(join(root, 'bin'))
})
afterEach(() => rmSync(root, { recursive: true }))

interface Asked {
  sandbox?: unknown
  env?: Record<string, string>
  platform?: NodeJS.Platform
  installed?: string | null
  /** Programs found in PATH. */
  programs?: string[]
}

function find({ sandbox, env = {}, platform = 'linux', installed = null, programs = [] }: Asked) {
  writeFileSync(join(root, 'settings.json'), JSON.stringify({ tools: { sandbox } }))
  for (const name of programs) writeFileSync(join(root, 'bin', name), '')
  return findSandboxes({
    homes: [{ path: root, tmpPath: `${root}/tmp`, exists: true }],
    versions: { installed, writtenBy: null },
    env: { PATH: join(root, 'bin'), ...env },
    platform,
  })
}

const commands = (asked: Asked) => find(asked).map(({ command }) => command)

describe('a container that Gemini CLI is set to run in', () => {
  test('T14: is named with its source, what it means and what to do', () => {
    expect(find({ sandbox: 'docker' })).toEqual([
      {
        command: 'docker',
        source: `${root}/settings.json`,
        text: expect.stringMatching(/Docker container.*0\.60 and newer deletes the sessions.*issue 29461/),
        advice: expect.stringContaining('Set tools.sandbox to false'),
      },
    ])
    const [ofEnvironment] = find({ env: { GEMINI_SANDBOX: 'podman' } })
    expect(ofEnvironment).toMatchObject({
      command: 'podman',
      source: 'GEMINI_SANDBOX',
      advice: expect.stringContaining('Remove GEMINI_SANDBOX'),
    })
  })

  test.each<[Asked, string[]]>([
    [{ sandbox: undefined }, []],
    [{ sandbox: false }, []],
    [{ sandbox: 'podman' }, ['podman']],
    [{ sandbox: 'runsc' }, ['runsc']],
    [{ sandbox: { enabled: true, command: 'docker' } }, ['docker']],
    [{ sandbox: { enabled: false, command: 'docker' } }, []],
    [{ sandbox: 'sandbox-exec' }, []],
    [{ sandbox: 'lxc' }, []],
    [{ sandbox: 'windows-native' }, []],
    // Gemini CLI takes the first one found
    [{ sandbox: true }, ['docker']],
    [{ sandbox: true, programs: ['podman'] }, ['podman']],
    [{ sandbox: 'true', programs: ['podman', 'docker'] }, ['docker']],
    [{ sandbox: true, platform: 'darwin', programs: ['docker'] }, []],
    [{ sandbox: 'docker', platform: 'darwin' }, ['docker']],
    // the environment takes precedence
    [{ sandbox: 'docker', env: { GEMINI_SANDBOX: 'false' } }, []],
    [{ sandbox: 'docker', env: { GEMINI_SANDBOX: '0' } }, []],
    [{ sandbox: 'docker', env: { GEMINI_SANDBOX: '' } }, ['docker']],
    [{ env: { GEMINI_SANDBOX: ' Docker ' } }, ['docker']],
    [{ env: { GEMINI_SANDBOX: '1' } }, ['docker']],
    // the first version with this behavior
    [{ sandbox: 'docker', installed: '0.59.2' }, []],
    [{ sandbox: 'docker', installed: '0.60.0' }, ['docker']],
    [{ sandbox: 'docker', installed: '0.65.0' }, ['docker']],
  ])('T14: %j', (asked, expected) => {
    expect(commands(asked)).toEqual(expected)
  })
})
