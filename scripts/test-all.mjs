import { runPrepared } from './steps/run-prepared.mjs'

// npm run test:all: every test there is, on random inputs (gate/test-all.ts).
await runPrepared('gate/test-all.ts')
