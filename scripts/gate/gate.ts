import { checksAreGreen, runBuild, runChecks } from './checks.ts'
import leftOut from './left-out.json' with { type: 'json' }
import { failuresOfMutations } from './mutations-seen.ts'
import { mergeResults, printEnd } from './print-end.ts'
import { setAside } from './quarantine.ts'
import { runGateTests } from './run-suites.ts'
import { failuresOfUserFiles, filesBelow, userFolders } from './user-files.ts'

// The gate: checks, build, unit and component tests, browser tests, all on fixed inputs. A failed check or build ends it; after the build
// every suite runs. Files in left-out.json take too long for it, or need a program that is not a package.
const LONGEST_MS = 75 * 60_000
const deadlineMs = Number(process.env.TESTS_BEGAN_AT ?? Date.now()) + LONGEST_MS

const userFiles = filesBelow(userFolders())
const steps = await runChecks()
if (checksAreGreen(steps)) steps.push(...(await runBuild()))
if (checksAreGreen(steps)) {
  const suites = await runGateTests(deadlineMs)
  const { failures, remarks } = setAside(suites)
  failures.push(
    ...failuresOfMutations(suites.tests),
    ...failuresOfUserFiles(userFiles, filesBelow(userFolders())),
  )
  printEnd(mergeResults([{ steps }, { ...suites, failures }]), { leftOut: countLeftOut(), remarks })
} else printEnd(mergeResults([{ steps }]))

function countLeftOut(): number {
  const { unit, page, browser } = leftOut
  return [...unit, ...page, ...browser].reduce((sum, { tests }) => sum + tests, 0)
}
