import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildProgram } from './steps/build-program.mjs'
import { installPackages } from './steps/install-packages.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'
import { root } from './steps/workspace.mjs'

// npm run soak -- --minutes 30: the options stand in faults/soak/main.ts.
try {
  await installPackages()
  await buildProgram()
} catch (error) {
  sayAndExit(error)
}
const command = ['--import', 'tsx', join(root, 'faults', 'soak', 'main.ts'), ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1
