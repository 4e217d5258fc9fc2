import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findCli, installedCli } from './installed-cli.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-cli-')))
})
afterEach(() => rmSync(root, { recursive: true }))

const PACKAGE = '@google/gemini-cli'

/** Creates a package as a package manager would install it; returns the path of its program. */
function install(modules: string, version: string, name = PACKAGE): string {
  const folder = join(root, modules, PACKAGE)
  mkdirSync(join(folder, 'bundle'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }))
  const program = join(folder, 'bundle', 'gemini.js')
  writeFileSync(program, 'throw new Error("it was run")\n')
  chmodSync(program, 0o755)
  return program
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const find = (...path: string[]) =>
  findCli({ PATH: path.map((folder) => join(root, folder)).join(delimiter) }, join(root, 'mia'), [])

describe('the Gemini CLI that is installed', () => {
  test('T7: none is none', () => {
    expect(find('bin')).toBeNull()
    write('bin/gemini', '#!/bin/sh\necho another program of this name\n')
    expect(find('bin')).toBeNull()
  })

  test.runIf(process.platform !== 'win32')('T7: a link on PATH is followed to its package', () => {
    mkdirSync(join(root, 'bin'))
    symlinkSync(install('lib/node_modules', '0.65.0'), join(root, 'bin', 'gemini'))
    expect(find('nothing-here', 'bin')).toEqual({
      version: '0.65.0',
      path: join(root, 'lib/node_modules', PACKAGE),
    })
    const env = { PATH: join(root, 'bin') }
    expect(installedCli(env, join(root, 'mia')).version).toBe('0.65.0')
  })

  test.runIf(process.platform !== 'win32')(
    'T7: the first on PATH counts, also where a newer one exists',
    () => {
      install('mia/.nvm/versions/node/v24.0.0/lib/node_modules', '0.70.0')
      for (const [folder, version] of [
        ['one', '0.54.4'],
        ['two', '0.61.0'],
      ] as const) {
        mkdirSync(join(root, folder))
        symlinkSync(install(`${folder}/lib/node_modules`, version), join(root, folder, 'gemini'))
      }
      expect(find('one', 'two')?.version).toBe('0.54.4')
    },
  )

  test('T7: the script of npm on Windows is beside the packages', () => {
    install('npm/node_modules', '0.60.0')
    write('npm/gemini', '@echo off\n')
    expect(find('npm')?.version).toBe('0.60.0')
  })

  test.each([
    ['pnpm', 'exec node  "$basedir/global/5/node_modules/@google/gemini-cli/bundle/gemini.js" "$@"'],
    ['pnpm', '@"%~dp0\\global\\5\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js" %*'],
    ['elsewhere', 'exec node "ROOT/pnpm/global/5/node_modules/@google/gemini-cli/bundle/gemini.js" "$@"'],
  ])('T7: a script in %s that starts it is read: %s', (folder, script) => {
    install('pnpm/global/5/node_modules', '0.59.0')
    write(`${folder}/gemini`, script.replace('ROOT', root.replaceAll('\\', '/')))
    expect(find(folder)?.version).toBe('0.59.0')
  })

  test.each([
    'mia/.npm-global/lib/node_modules',
    'mia/.nvm/versions/node/v22.1.0/lib/node_modules',
    `mia/.volta/tools/image/packages/${PACKAGE}/lib/node_modules`,
    'mia/.local/share/pnpm/global/5/node_modules',
    'mia/.bun/install/global/node_modules',
    'mia/.npm/_npx/0123456789abcdef/node_modules',
    'mia/.local/share/mise/installs/node/24.1.0/lib/node_modules',
  ])('T7: one that PATH does not name is found in %s', (modules) => {
    install(modules, '0.62.0-nightly.20261101.abc')
    expect(find('bin')?.version).toBe('0.62.0-nightly.20261101.abc')
  })

  test('T7: folders that the environment names, and of several the newest', () => {
    install('prefix/lib/node_modules', '0.9.0')
    install('appdata/npm/node_modules', '0.61.0')
    install('system', '0.60.9')
    const env = { NPM_CONFIG_PREFIX: join(root, 'prefix'), APPDATA: join(root, 'appdata') }
    expect(findCli(env, join(root, 'mia'), [join(root, 'system')])?.version).toBe('0.61.0')
  })

  test('T7: a package by another name, or a broken one, is none', () => {
    install('mia/.npm-global/lib/node_modules', '1.0.0', 'gemini-cli-fork')
    write(`mia/.bun/install/global/node_modules/${PACKAGE}/package.json`, '{')
    expect(find('bin')).toBeNull()
  })
})
