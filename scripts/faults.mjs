import { runOnProgram } from './steps/run-on-program.mjs'

// npm run faults [-- options]: a world as unkind as the real one, around the built program; faults/README.md.
// npm run faults -- --plants: whether each of its parts finds the defects that it is there for.
const args = process.argv.slice(2)
const script = args.includes('--plants') ? 'faults/plants/main.ts' : 'faults/main.ts'
await runOnProgram(script, args)
