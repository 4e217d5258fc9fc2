import { runChecks } from './checks.ts'
import { mergeResults, printEnd } from './print-end.ts'
import { runUnitTests } from './run-suites.ts'

const UNIT_TESTS = [
  'packages/api',
  'packages/gemini-sessions/src',
  'packages/pricing/src',
  'packages/redact',
  'packages/session-index/src',
  'apps/gemini-dash/src/store',
  'apps/web/src',
  'scripts/architecture',
  'scripts/dependency-rules',
  'scripts/docs',
  'scripts/gate',
  'scripts/mutations',
  'scripts/rooms',
]

const steps = await runChecks()
printEnd(mergeResults([{ steps }, await runUnitTests(UNIT_TESTS)]))
