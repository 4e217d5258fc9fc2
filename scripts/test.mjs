import { runPrepared } from './steps/run-prepared.mjs'

// npm test: what every change has to pass, in ten minutes, with the same result every time (gate/gate.ts).
await runPrepared('gate/gate.ts', { tools: ['oracle'] })
