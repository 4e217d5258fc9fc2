import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Makes `dist`, which is what the package publishes: one JavaScript module and one declaration for each source.
// The compiler removes nothing by itself, so what an earlier build left goes first.
const folder = fileURLToPath(new URL('..', import.meta.url))
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: folder,
  // npm pack prints the tarball's name to stdout; nothing else belongs there.
  stdio: ['ignore', process.stderr, process.stderr],
})
process.exitCode = status ?? 1
