import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GeminiHome } from 'gemini-sessions/node'
import { findHomes } from 'gemini-sessions/node'
import { CliError } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'
import { programFiles } from './own-folder.ts'
import { isSessionFolder, sessionFileHint } from './session-file-hint.ts'

/** The homes that a command line refers to. */
export function chooseHomes(flags: Flags): GeminiHome[] {
  const homeArguments = flags.demo ? [fileURLToPath(programFiles.demoHome)] : (flags.home ?? [])
  return findHomes({ homeArguments, env: process.env, userHome: userHome() })
}

/** @throws if a session file or a project's `chats` folder is given instead of a home */
export function chooseServedHomes(flags: Flags): GeminiHome[] {
  const source = sourceOf(flags)
  const named = flags.home ?? (source === null ? [] : [process.env[source] ?? ''])
  for (const path of flags.demo ? [] : named) refuseSessions(path, source)
  return chooseHomes(flags)
}

function refuseSessions(path: string, source: string | null): void {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  if (isFile)
    throw new CliError(1, `${path} (from ${source}) is a file, not a Gemini folder.`, sessionFileHint(path))
  if (!isSessionFolder(path) || existsSync(join(path, '.gemini')) || existsSync(join(path, 'tmp'))) return
  const above = resolve(path, '../../..')
  const isInHome = basename(resolve(path)) === 'chats' && basename(dirname(resolve(path, '..'))) === 'tmp'
  const whole = isInHome ? `Use the Gemini folder: --home ${above}. ` : ''
  throw new CliError(
    1,
    `${path} (from ${source}) is a folder of session files, not a Gemini folder.`,
    `${whole}To open only these files: gemini-dash open ${path}`,
  )
}

/** For commands that end: a missing home is an error, not an empty answer. Of the default homes, one is enough. */
export function chooseExistingHomes(flags: Flags): GeminiHome[] {
  const homes = chooseServedHomes(flags)
  const missing = homes.filter((home) => !home.exists)
  const source = sourceOf(flags)
  const isEnough = source === null ? missing.length < homes.length : missing.length === 0
  if (isEnough) return homes
  const paths = missing.map(({ path }) => path).join(', ')
  const sent = (flags.home ?? []).map(sessionFileHint).find((hint) => hint !== null)
  throw new CliError(
    1,
    source === null
      ? `There is no Gemini folder at ${paths}.`
      : `There is no Gemini folder at ${paths} (from ${source}).`,
    source === null
      ? 'Gemini CLI creates it on first use. Choose another one with --home DIR, or try --demo.'
      : (sent ?? 'Use the folder that contains .gemini, .gemini itself, or a copy with a folder tmp.'),
  )
}

/** What named the homes; null: nothing did, and they are this user's. */
function sourceOf({ home }: Flags): '--home' | 'GEMINI_SESSIONS_DIR' | 'GEMINI_CLI_HOME' | null {
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
    // the system knows no home folder
  }
  throw new CliError(1, 'The home folder of this user is not known.', 'Set HOME to its absolute path.')
}
