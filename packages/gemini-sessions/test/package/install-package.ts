import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

export interface InstalledPackage {
  /** A project that depends only on the packed library. */
  folder: string
  tarball: string
  /** Paths in the tarball. */
  files: string[]
  remove(): void
}

/** Builds and packs the library as for publishing, and installs the tarball in an empty project. Uses no network. */
export function installPackage(): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-sessions-'))
  const [packed] = JSON.parse(npm(PACKAGE, ['pack', '--json', '--pack-destination', folder]))
  const tarball = join(folder, packed.filename)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const zod = realpathSync(join(PACKAGE, 'node_modules', 'zod'))
  npm(folder, ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball, zod])
  return {
    folder,
    tarball,
    files: packed.files.map(({ path }: { path: string }) => path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function npm(cwd: string, args: string[]): string {
  // npm is a .cmd file on Windows, which only a shell can start.
  const isWindows = process.platform === 'win32'
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
  })
}
