import { runPrepared } from './steps/run-prepared.mjs'

// npm test: required for every change; takes ten minutes and is deterministic (gate/gate.ts).
await runPrepared('gate/gate.ts', { tools: ['oracle'] })
