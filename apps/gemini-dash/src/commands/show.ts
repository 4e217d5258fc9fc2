import { type Coverage, SCHEMA_VERSION, type SessionDetail } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { withAnswer } from '../environment/with-answer.ts'
import { printConversation } from '../print/print-conversation.ts'
import type { KeyResolution } from '../store/catalog/resolve-key.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import { failForUnread } from '../terminal/fail-for-unread.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const show: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [keyOrId] = positionals
  if (keyOrId === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash show KEY')

  await withAnswer(input, { command: 'show', keyOrId }, async (answer) => {
    const { resolution, detail, messages, coverage } = answer
    const key = chosenSession(keyOrId, resolution)
    if (detail === null || messages === null) {
      throw new CliError(1, `The files of session ${key} have just been deleted.`)
    }
    if (flags.json) await writeJson({ ...detail, coverage }, messages, terminal)
    else await terminal.write(printConversation(detail, messages, terminal.isColorful))
    failForUnread(detail)
  })
}

/** Message by message: the text of a long session is larger than one string may be (512 MB). */
async function writeJson(
  { session, segments, coverage, unread }: SessionDetail & { coverage: Coverage },
  messages: Message[],
  terminal: Terminal,
) {
  const head = JSON.stringify({ schemaVersion: SCHEMA_VERSION, session, segments, coverage, unread })
  await terminal.write(`${head.slice(0, -1)},"messages":[`)
  for (const [at, message] of messages.entries()) {
    await terminal.write(`${at === 0 ? '' : ','}${JSON.stringify(message)}`)
  }
  await terminal.write(']}\n')
}

/** The key of the one session that KEY means. @throws what else it can mean */
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
