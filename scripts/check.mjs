import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runChecks, runTool, step, tellResults } from './steps/checks.mjs'
import { countUnitTests } from './steps/count-results.mjs'
import { installPackages } from './steps/install/install-packages.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'
import { stampFolder } from './steps/workspace.mjs'

// npm run check: what is quick to know after a change. It installs the packages, in a fresh clone too, and needs nothing else.
const UNIT_TESTS = [
  'packages/api',
  'packages/gemini-sessions/src',
  'packages/pricing/src',
  'packages/redact',
  'packages/session-index/src',
  'apps/gemini-dash/src/store',
  'apps/web/src',
  'scripts/architecture',
  'scripts/dependency-rules',
  'scripts/docs',
  'scripts/mutations',
  'scripts/rooms',
]

const report = join(stampFolder, 'checked-tests.json')
try {
  await installPackages()
  const results = await runChecks()
  tellResults([...results, await step('unit tests', unitTests, () => countUnitTests(report))])
} catch (error) {
  sayAndExit(error)
}

function unitTests() {
  rmSync(report, { force: true })
  const args = [
    'run',
    '--project',
    'unit',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  return runTool('vitest/vitest.mjs', [...args, ...UNIT_TESTS])
}
