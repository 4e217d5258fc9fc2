import { installPackages } from './steps/install/install-packages.mjs'
import { runScript } from './steps/run-prepared.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'

// npm run check: what is quick to know after a change (gate/check.ts). It installs the packages, in a fresh clone too, and needs
// nothing else.
try {
  await installPackages()
  process.exitCode = await runScript('gate/check.ts')
} catch (error) {
  sayAndExit(error)
}
