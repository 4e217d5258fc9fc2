import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/**
 * Environment variables that isolate a program, and this process, from the user's own files. `undefined`: not set, so that data and cache
 * are below HOME.
 *
 * @param folder Replaces the user's home. Redaction treats its name as the user's name, so it should not be a common word.
 */
export function ownPlaces(folder: string): Record<string, string | undefined> {
  return {
    HOME: folder,
    USERPROFILE: folder,
    XDG_CACHE_HOME: undefined,
    XDG_CONFIG_HOME: undefined,
    XDG_DATA_HOME: undefined,
    XDG_STATE_HOME: undefined,
    GEMINI_CLI_HOME: undefined,
    GEMINI_SESSIONS_DIR: undefined,
  }
}

/** Sets variables of this process, which child processes inherit. `undefined` removes one. */
export function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

/**
 * A PATH without `gemini`. A folder that contains it along with other programs is replaced by a folder of links to the others. Returns the
 * PATH, and a function that removes these folders.
 */
export function pathWithoutGemini(path = process.env.PATH ?? ''): { path: string; remove: () => void } {
  const made: string[] = []
  const folders = path.split(delimiter).map((folder) => {
    if (!holdsGemini(folder)) return folder
    const links = mkdtempSync(join(tmpdir(), 'gemini-dash-path-'))
    made.push(links)
    for (const name of readdirSync(folder)) {
      if (!isGemini(name)) symlinkSync(join(folder, name), join(links, name))
    }
    return links
  })
  const remove = () => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  }
  return { path: folders.join(delimiter), remove }
}

function holdsGemini(folder: string): boolean {
  if (folder === '') return false
  try {
    return process.platform !== 'win32' && readdirSync(folder).some(isGemini)
  } catch {
    return false
  }
}

const isGemini = (name: string) => name === 'gemini'
