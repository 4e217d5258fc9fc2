import { runOnProgram } from './steps/run-on-program.mjs'

// npm run bench [-- options]: the whole program on a generated Gemini folder; --help lists the options.
// npm run bench -- reading [--json]: only the library that reads session files.
const args = process.argv.slice(2)
if (args[0] === 'reading')
  await runOnProgram('packages/gemini-sessions/bench/reading.ts', args.slice(1), { isWanted: false })
else await runOnProgram('apps/gemini-dash/bench/main.ts', args, { isWanted: !args.includes('--help') })
