import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GeminiHome } from 'gemini-sessions/node'
import { findHomes } from 'gemini-sessions/node'
import { CliError } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'
import { programFiles } from './program-files.ts'
import { sessionFileHint } from './session-file-hint.ts'

/** The homes that a command line means. */
export function chooseHomes(flags: Flags): GeminiHome[] {
  const homeArguments = flags.demo ? [fileURLToPath(programFiles.demoHome)] : (flags.home ?? [])
  return findHomes({ homeArguments, env: process.env, userHome: userHome() })
}

/** For commands that end: a home that is not there is no empty answer. Of those that nobody named one is enough. */
export function chooseExistingHomes(flags: Flags): GeminiHome[] {
  const homes = chooseHomes(flags)
  const missing = homes.filter((home) => !home.exists)
  const source = sourceOf(flags)
  const isEnough = source === null ? missing.length < homes.length : missing.length === 0
  if (isEnough) return homes
  const paths = missing.map(({ path }) => path).join(', ')
  throw new CliError(
    1,
    source === null
      ? `There is no Gemini home at ${paths}.`
      : `There is no Gemini home at ${paths}, which ${source} names.`,
    source === null
      ? 'Gemini CLI makes it when it is first used. Name another one with --home DIR, or try --demo.'
      : (namedFileHint(flags) ??
          'Name the folder that holds .gemini, .gemini itself, or a copy of it that holds a folder tmp.'),
  )
}

/** A session file that somebody sent may be named in place of a home. */
function namedFileHint({ home = [] }: Flags): string | null {
  const hints = home.map(sessionFileHint)
  return hints.find((hint) => hint !== null) ?? null
}

/** Who named the homes; null: nobody, and they are this user's. */
function sourceOf({ home }: Flags): string | null {
  if (home !== undefined) return '--home'
  const { GEMINI_SESSIONS_DIR, GEMINI_CLI_HOME } = process.env
  if (GEMINI_SESSIONS_DIR) return 'GEMINI_SESSIONS_DIR'
  return GEMINI_CLI_HOME ? 'GEMINI_CLI_HOME' : null
}

function userHome(): string {
  try {
    const folder = homedir()
    if (isAbsolute(folder)) return folder
  } catch {
    // the system knows none
  }
  throw new CliError(1, 'The home folder of this user is not known.', 'Set HOME to its absolute path.')
}
