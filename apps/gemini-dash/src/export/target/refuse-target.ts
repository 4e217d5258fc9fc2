import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { GeminiHome } from 'gemini-sessions/node'
import { CliError } from '../../terminal/cli-error.ts'

/** @throws where the target lies in a Gemini home, whichever links lead there: nothing is ever written to one */
export function refuseHome(
  target: string,
  homes: readonly GeminiHome[],
  advice = 'Name a folder somewhere else with --out.',
): void {
  const place = targetPlace(target)
  const home = homes.find(({ path, tmpPath }) =>
    // with GEMINI_SESSIONS_DIR the home is the folder of projects alone
    isWithin(place, targetPlace(join(path, 'tmp') === join(tmpPath) ? path : tmpPath)),
  )
  if (home === undefined) return
  throw new CliError(1, `${target} lies in the Gemini home ${home.path}: nothing is written there.`, advice)
}

/** Where something lies or would lie, once all links are followed. */
export function targetPlace(path: string): string {
  let existing = resolve(path)
  const missing: string[] = []
  for (;;) {
    try {
      return join(realpathSync(existing), ...missing)
    } catch {
      const above = dirname(existing)
      if (above === existing) return resolve(path)
      // a link to what is not there yet leads somewhere, too: nothing is written through it
      if (lstatSync(existing, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new CliError(1, `${path} is a link to something that is not there.`, 'Name what it leads to.')
      missing.unshift(relative(above, existing))
      existing = above
    }
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
