import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPlaces, pathWithoutGemini, setEnvironment } from './own-places.ts'

/**
 * Once per test run, before its workers start: the same time zone on every machine, none of the user's files, and no installed Gemini CLI.
 * Returns the teardown.
 */
export default function setUpRun(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-user-'))
  const { path, remove } = pathWithoutGemini()
  setEnvironment({ ...ownPlaces(folder), PATH: path, TZ: process.env.TZ ?? 'UTC' })
  return () => {
    remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
