import { isAbsolute, resolve } from 'node:path'
import { openTrustedFolder } from '@gemini-dash/session-index'
import { openDataFolder } from '../own-data/data-folder.ts'
import type { Flags } from '../terminal/flags.ts'

type OwnFolder = 'cache' | 'data'

/** What happens where it cannot be used. */
const WITHOUT: Record<OwnFolder, string> = {
  cache: '; going on in memory',
  data: ': stars, notes, prices and all other changes are refused, and sign-ins end with this run',
}

/**
 * The folder for the index or for sign-ins, made for this user only; null with `--no-cache` and where nothing
 * can be written or others could have written.
 */
export async function openOwnFolder(
  name: OwnFolder,
  flags: Flags,
  tellWhyNot: (sentence: string) => void,
): Promise<string | null> {
  if (flags['no-cache']) return null
  const folder = await ownFolder(name, flags)
  try {
    if (folder === null) throw new Error('the home folder of this user is not known')
    if (name === 'data') openDataFolder(folder)
    else openTrustedFolder(folder)
    return folder
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    tellWhyNot(
      `Nothing can be kept in the ${name} folder (${reason})${WITHOUT[name]}. Another folder can be named with --${name}-dir.`,
    )
    return null
  }
}

/** Where the folder is or would be. */
export async function ownFolder(name: OwnFolder, flags: Flags): Promise<string | null> {
  const given = flags[`${name}-dir`]
  if (given !== undefined) return resolve(given)
  try {
    // Looks for the home folder as soon as it is imported, and throws where there is none.
    const { default: envPaths } = await import('env-paths')
    const folder = envPaths('gemini-dash', { suffix: '' })[name]
    return isAbsolute(folder) ? folder : null
  } catch {
    return null
  }
}
