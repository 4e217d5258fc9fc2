import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildProgram } from './steps/build-program.mjs'
import { installPackages } from './steps/install-packages.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'
import { root } from './steps/workspace.mjs'

// npm run bench [-- options]: the whole program on a generated home; --help names the options.
// npm run bench -- reading [--json]: the library that reads session files, by itself.
const PROGRAM = 'apps/gemini-dash/bench/main.ts'
const READING = 'packages/gemini-sessions/bench/reading.ts'

const args = process.argv.slice(2)
const isReading = args[0] === 'reading'
try {
  await installPackages()
  if (!isReading && !args.includes('--help')) await buildProgram()
} catch (error) {
  sayAndExit(error)
}
const command = ['--import', 'tsx', join(root, isReading ? READING : PROGRAM)]
const { status } = spawnSync(process.execPath, [...command, ...args.slice(isReading ? 1 : 0)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
