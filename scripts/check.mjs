import { installPackages } from './steps/install/install-packages.mjs'
import { runScript } from './steps/run-prepared.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'

// npm run check: quick checks after a change (gate/check.ts). Installs the packages, even in a fresh clone, and needs nothing else.
try {
  await installPackages()
  process.exitCode = await runScript('gate/check.ts')
} catch (error) {
  sayAndExit(error)
}
