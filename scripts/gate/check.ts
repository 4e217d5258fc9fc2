import { runChecks } from './checks.ts'
import { runUnitTests } from './run-suites.ts'
import { tellEnd } from './tell-end.ts'

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
tellEnd({ steps, suites: await runUnitTests(UNIT_TESTS) })
