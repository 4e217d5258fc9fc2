import type { KeyResolution } from '../store/catalog/resolve-key.ts'
import { CliError } from './cli-error.ts'

/** The key of the one session that KEY means. */
export function chosenSession(keyOrId: string, resolution: KeyResolution): string {
  if (resolution.kind === 'one') return resolution.key
  if (resolution.kind === 'none') {
    throw new CliError(
      1,
      `There is no session "${keyOrId}".`,
      '"gemini-dash list --kind all" lists the keys of all sessions.',
    )
  }
  throw new CliError(
    2,
    `"${keyOrId}" can mean ${resolution.keys.length} sessions.`,
    `Name one of: ${resolution.keys.join(', ')}`,
  )
}
