import { type Coverage, partQuerySchema, SCHEMA_VERSION, type SessionDetail } from '@gemini-dash/api'
import { readQuery } from '../environment/read-query.ts'
import { sessionFileHint } from '../environment/session-file-hint.ts'
import { withAnswer } from '../environment/with-answer.ts'
import { type CutMessage, chooseMessages, cutToDepth } from '../export/choose-messages.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { printConversation } from '../print/print-conversation.ts'
import type { KeyResolution } from '../store/catalog/resolve-key.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const show: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [keyOrId] = positionals
  if (keyOrId === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash show KEY')

  const { depth, ...choice } = readQuery(partQuerySchema, partFlags(flags))

  await withAnswer(input, { command: 'show', keyOrId, project: flags.project }, async (answer) => {
    const { resolution, detail, messages, coverage } = answer
    const key = chosenSession(keyOrId, resolution, flags.project)
    if (detail === null || messages === null) {
      throw new CliError(1, `The files of session ${key} have just been deleted.`)
    }
    const chosen = chooseMessages({ messages, turns: detail.outline, isLive: detail.session.live }, choice)
    if (chosen === null) throw noSuchTurn(detail)
    if (flags.json) await writeJson({ ...detail, coverage }, cutToDepth(chosen, depth ?? 'all'), terminal)
    else {
      const look = { isColorful: terminal.isColorful, depth: depth ?? null }
      for (const piece of printConversation(detail, chosen, look)) await terminal.write(piece)
    }
    failForUnread(detail)
  })
}

/** Message by message: the text of a long session is larger than one string may be (512 MB). */
async function writeJson(
  { session, segments, coverage, unread }: SessionDetail & { coverage: Coverage },
  told: Iterable<CutMessage>,
  terminal: Terminal,
) {
  const head = JSON.stringify({ schemaVersion: SCHEMA_VERSION, session, segments, coverage, unread })
  await terminal.write(`${head.slice(0, -1)},"messages":[`)
  let separator = ''
  for (const { message } of told) {
    if (message === null) continue
    await terminal.write(`${separator}${JSON.stringify(message)}`)
    separator = ','
  }
  await terminal.write(']}\n')
}

function partFlags({ depth, turn, last }: Flags): Partial<Record<string, string>> {
  return { ...(depth && { depth }), ...(turn && { turn }), ...(last && { last }) }
}

function noSuchTurn({ outline }: SessionDetail): CliError {
  const [first, last] = [outline[0]?.number, outline.at(-1)?.number]
  return new CliError(1, 'There is no such turn in this session.', `Its turns are ${first} to ${last}.`)
}

/** Of the sessions that a KEY can mean; more are counted, not named. */
const MOST_NAMED = 20

/** The key of the one session that KEY means. @throws what else it can mean */
export function chosenSession(keyOrId: string, resolution: KeyResolution, project?: string): string {
  if (resolution.kind === 'one') return resolution.key
  if (resolution.kind === 'none') {
    throw new CliError(
      1,
      `There is no session "${keyOrId}"${project === undefined ? '' : ` in a project "${project}"`}.`,
      sessionFileHint(keyOrId) ??
        (keyOrId.startsWith('-')
          ? 'It is no option of this command either. "gemini-dash list --kind all" lists the keys of all sessions.'
          : '"gemini-dash list --kind all" lists the keys of all sessions.'),
    )
  }
  const { keys } = resolution
  const more = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : ''
  throw new CliError(
    2,
    `"${keyOrId}" can mean ${keys.length} sessions.`,
    `Name one of: ${keys.slice(0, MOST_NAMED).join(', ')}${more}`,
  )
}
