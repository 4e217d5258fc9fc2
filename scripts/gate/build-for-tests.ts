import { buildInto } from '../../apps/gemini-dash/test/build-program.ts'
import { programOfTests } from './run-suites.ts'

// In a process of its own: Vite takes what it builds for a reason to set NODE_ENV.
await buildInto(programOfTests)
