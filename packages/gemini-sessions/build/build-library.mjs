import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Builds `dist`, the published package: one JavaScript module and one declaration file per source. The compiler removes nothing, so the
// previous build is deleted first.
const folder = fileURLToPath(new URL('..', import.meta.url))
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: folder,
  // npm pack prints the tarball's name to stdout, so everything else goes to stderr.
  stdio: ['ignore', process.stderr, process.stderr],
})
process.exitCode = status ?? 1
