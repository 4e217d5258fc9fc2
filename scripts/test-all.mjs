import { runPrepared } from './steps/run-prepared.mjs'

// npm run test:all [-- options]: all tests, on random inputs (gate/test-all.ts).
await runPrepared('gate/test-all.ts', {
  args: process.argv.slice(2).filter((word) => !/^--o(?:ff|n)line$/.test(word)),
})
