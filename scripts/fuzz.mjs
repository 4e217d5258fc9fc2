import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from './steps/install/install-packages.mjs'
import { run } from './steps/run.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'
import { root } from './steps/workspace.mjs'

// npm run fuzz: random logs, queries and requests for a given time; failing inputs are saved in fixtures/fuzz (faults/README.md).
//   --minutes 10     for each of the three kinds
//   --seed 4711      repeats the same inputs
//   --only queries   one kind; repeatable
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true, default: [''] },
  },
})
try {
  await installPackages()
} catch (error) {
  sayAndExit(error)
}
const files = values.only.map((kind) => `faults/fuzz/${kind}`)
const env = {
  FUZZ_SECONDS: String(Number(values.minutes) * 60),
  ...(values.seed && { TEST_SEED: values.seed }),
}
process.exitCode = await run(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'unit', ...files],
  { env },
)
