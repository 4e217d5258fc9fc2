import { runOnProgram } from './steps/run-on-program.mjs'

// npm run soak -- --minutes 30: the options are documented in faults/soak/main.ts.
await runOnProgram('faults/soak/main.ts', process.argv.slice(2))
