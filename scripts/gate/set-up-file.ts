import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ownPlaces, setEnvironment } from './own-places.ts'

// Before each file of tests that runs in Node: a home of its own, so that what one file leaves there is nothing to the next.
const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-user-'))
setEnvironment(ownPlaces(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
