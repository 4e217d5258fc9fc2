import { writeFileSync } from 'node:fs'
import { printRequirements } from './requirements/print-requirements.ts'

// npx tsx scripts/requirements.ts: generates docs/requirements.md from the titles of all tests.
writeFileSync(new URL('../docs/requirements.md', import.meta.url), printRequirements())
