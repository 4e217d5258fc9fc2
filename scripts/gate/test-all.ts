import { parseArgs } from 'node:util'
import { sayAndExit } from '../steps/say-and-exit.mjs'
import { runBuild, runChecks, runStep } from './checks.ts'
import {
  addToLog,
  commitOfTree,
  drawInputs,
  type FullRunRecord,
  goOnFrom,
  logPath,
  readLog,
} from './full-run.ts'
import { mergeResults, printEnd, type Results } from './print-end.ts'
import { runAllBrowserTests, runAllUnitTests } from './run-suites.ts'
import { failuresOfUserFiles, filesBelow, userFolders } from './user-files.ts'

// All tests, with real Gemini CLIs and other external programs, mutations and faults. No time limit, random inputs, no second try, and all
// steps run whatever fails.
//   --from browser   continues the last run from this step, after a build
//   --seed 4711      repeats inputs, zone and order of files
const FUZZ_SECONDS = '60'

const script = (name: string, ...args: string[]) => runStep(name, args)
const STEPS: Record<string, (seed: string) => Promise<Partial<Results>>> = {
  checks: async () => ({ steps: await runChecks() }),
  build: async () => ({ steps: await runBuild() }),
  unit: () => runAllUnitTests({ FUZZ_SECONDS }),
  browser: runAllBrowserTests,
  mutations: async () => ({ steps: [await script('mutations', 'scripts/mutations.mjs')] }),
  'page-mutations': async () => ({
    steps: [await script('page mutations', 'scripts/mutations.mjs', '--page')],
  }),
  faults: async (seed) => ({
    steps: [await script('faults', '--import', 'tsx', 'faults/main.ts', '--seed', seed)],
  }),
}

const { values } = parseArgs({ options: { from: { type: 'string' }, seed: { type: 'string' } } })
const log = logPath()
const { seed, zone, done } = begin()
process.env.TEST_SEED = String(seed)
process.env.TZ = zone
const inputs = `TEST_SEED=${seed} TZ=${zone}`
process.stdout.write(`Inputs: ${inputs}\n`)

for (const [step, run] of Object.entries(STEPS)) {
  if (done.some((record) => record.step === step)) continue
  const commit = commitOfTree()
  const userFiles = filesBelow(userFolders())
  const ran = await run(String(seed))
  const failures = failuresOfUserFiles(userFiles, filesBelow(userFolders()))
  const results = mergeResults([ran, { failures }])
  const record = { endedAt: new Date().toISOString(), commit, step, seed, zone, results }
  addToLog(log, record)
  done.push(record)
}
const commits = [...new Set(done.map(({ commit }) => commit))]
const stepsOf = (commit: string) => done.filter((record) => record.commit === commit).map(({ step }) => step)
printEnd(mergeResults(done.map(({ results }) => results)), {
  remarks: [
    ...commits.map((commit) => `Commit ${commit}: ${stepsOf(commit).join(', ')}`),
    `Inputs: ${inputs}. Results of each step: ${log}`,
  ],
})

function begin(): { seed: number; zone: string; done: FullRunRecord[] } {
  const { from } = values
  if (from === undefined)
    return { ...drawInputs(values.seed === undefined ? undefined : Number(values.seed)), done: [] }
  try {
    return goOnFrom(readLog(log), Object.keys(STEPS), from)
  } catch (error) {
    return sayAndExit(error)
  }
}
