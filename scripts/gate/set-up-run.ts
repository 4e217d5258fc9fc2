import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPlaces, pathWithoutGemini, setEnvironment } from './own-places.ts'

/**
 * Once a run of tests, before its workers start: they, and what they start, have the same zone on every machine, find none of the
 * user's files and no installed Gemini CLI. Returns what ends it.
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
