import { join } from 'node:path'
import { installPackages } from './steps/install/install-packages.mjs'
import { run } from './steps/run.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'
import { root } from './steps/workspace.mjs'

// npm run check: what is quick to know after a change (gate/check.ts). It installs the packages, in a fresh clone too, and needs
// nothing else.
try {
  await installPackages()
  process.exitCode = await run(process.execPath, [
    '--import',
    'tsx',
    join(root, 'scripts', 'gate', 'check.ts'),
  ])
} catch (error) {
  sayAndExit(error)
}
