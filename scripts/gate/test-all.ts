import { runBuild, runChecks, runStep } from './checks.ts'
import { runSuites } from './run-suites.ts'
import { tellEnd } from './tell-end.ts'

// Every test there is, with real Gemini CLIs and other outside programs, mutations and faults. It has no limit of time, draws its
// inputs at random, gives nothing a second try, and runs all steps whatever fails.
process.env.TEST_SEED ??= String(Date.now() % 1_000_000)
const seed = process.env.TEST_SEED
process.stdout.write(`Inputs of TEST_SEED=${seed}\n`)

const steps = [...(await runChecks()), ...(await runBuild())]
const suites = await runSuites({ isGate: false })
// side by side: most of the second is waiting
const stepsAfter = await Promise.all([
  runStep('mutations', ['scripts/mutations.mjs', '--sample', '10', '--seed', seed]),
  runStep('faults', ['--import', 'tsx', 'faults/main.ts', '--bounded', '--seed', seed]),
])
tellEnd({ steps, suites, stepsAfter })
