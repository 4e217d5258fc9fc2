import { runOnProgram } from './steps/run-on-program.mjs'

// npm run faults [-- options]: injects real-world faults around the built program; see faults/README.md.
// npm run faults -- --plants: checks that each part of the kit finds its planted defects.
const args = process.argv.slice(2)
const script = args.includes('--plants') ? 'faults/plants/main.ts' : 'faults/main.ts'
await runOnProgram(script, args)
