import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ownPlaces, setEnvironment } from './own-places.ts'

// A separate home for each test file in Node, so that no file affects the next.
const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-user-'))
setEnvironment(ownPlaces(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
