import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './steps/workspace.mjs'

// npm run bench [-- --json]: every benchmark, one after the other. Each is a program of its own.
const BENCHMARKS = ['packages/gemini-sessions/bench/reading.ts']

for (const program of BENCHMARKS) {
  const args = ['--import', 'tsx', join(root, program), ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
