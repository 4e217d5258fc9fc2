import { buildInto } from '../../apps/gemini-dash/test/build-program.ts'
import { programOfTests } from './run-suites.ts'

// In a separate process, because Vite sets NODE_ENV during a build.
await buildInto(programOfTests)
