import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const MANIFESTS = [
  '.',
  ...['apps', 'packages'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  ),
].map((folder) => ({
  folder,
  manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
}))
/** npm and pnpm run these automatically on installation. */
const AT_INSTALL = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']

test.each(MANIFESTS)('R52: $folder runs nothing when it is installed', ({ manifest }) => {
  expect(Object.keys(manifest.scripts ?? {}).filter((name) => AT_INSTALL.includes(name))).toEqual([])
})

test.each(MANIFESTS)(
  'R52: every package that $folder is made with has its version in the catalog',
  ({ manifest }) => {
    // the peer dependencies of a library are ranges, and nothing that we install
    const { devDependencies = {}, dependencies = {} } = manifest
    const versions: string[] = Object.values({ ...devDependencies, ...(manifest.private && dependencies) })
    expect(versions.filter((version) => !/^(catalog:|workspace:\*)$/.test(version))).toEqual([])
  },
)

test('R52: every version of the catalog is exact, and pnpm runs no script of a dependency', () => {
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const catalog = workspace.slice(
    workspace.indexOf('\ncatalog:'),
    workspace.indexOf('\n\n', workspace.indexOf('\ncatalog:')),
  )
  const entries = catalog.split('\n').filter((line) => line.startsWith('  '))
  expect(entries.length).toBeGreaterThan(30)
  expect(entries.filter((line) => !/: (npm:[\w@/-]+@)?\d+\.\d+\.\d+(-r\.\d+)?$/.test(line))).toEqual([])
  expect(workspace).not.toMatch(/onlyBuiltDependencies|dangerouslyAllowAllBuilds/)
})

test('R52: the lockfile is of these manifests: installing it is asked for frozen', () => {
  expect(readFileSync(join(root, 'scripts/steps/install/install-packages.mjs'), 'utf8')).toContain(
    '--frozen-lockfile',
  )
})
