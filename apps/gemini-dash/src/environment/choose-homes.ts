import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { GeminiHome } from 'gemini-sessions/node'
import { findHomes } from 'gemini-sessions/node'
import { CliError } from '../command-line/cli-error.ts'
import type { Flags } from '../command-line/flags.ts'
import { programFiles } from './program-files.ts'

/** The homes that a command line means. */
export function chooseHomes(flags: Flags): GeminiHome[] {
  const homeArguments = flags.demo ? [fileURLToPath(programFiles.demoHome)] : (flags.home ?? [])
  return findHomes({ homeArguments, env: process.env, userHome: userHome() })
}

/** For commands that end: a home named by hand that is not there is a mistake, not an empty answer. */
export function chooseExistingHomes(flags: Flags): GeminiHome[] {
  const homes = chooseHomes(flags)
  const missing = homes.find((home) => !home.exists)
  if (flags.home !== undefined && missing !== undefined) {
    throw new CliError(
      1,
      `There is no Gemini home at ${missing.path}.`,
      'Name the folder that holds .gemini, .gemini itself, or a copy of it that holds a folder tmp.',
    )
  }
  return homes
}

function userHome(): string {
  try {
    return homedir()
  } catch {
    throw new CliError(1, 'The home folder of this user is not known.', 'Name a Gemini home with --home DIR.')
  }
}
