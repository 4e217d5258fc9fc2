import { type Coverage, partQuerySchema, SCHEMA_VERSION, type SessionDetail } from '@gemini-dash/api'
import { readQuery, withAnswer } from '../environment/answer-question.ts'
import { clockOf } from '../environment/open-store.ts'
import { sessionFileHint } from '../environment/session-file-hint.ts'
import { type CutMessage, chooseMessages, cutToDepth } from '../export/choose-messages.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import { printChanges, printConversation, printHead } from '../print/print-conversation.ts'
import { printCostWhy } from '../print/print-cost.ts'
import type { KeyResolution } from '../store/sync/resolve-key.ts'
import { CliError, type Terminal } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'
import { nextCommand } from './next-command.ts'

export const show: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [keyOrId] = positionals
  if (keyOrId === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash show KEY')

  if (flags.cost) return showCost(input, keyOrId)
  const { depth, ...choice } = readQuery(partQuerySchema, partFlags(flags))
  const clock = await clockOf(flags)

  if (flags.changes) {
    if (Object.keys(partFlags(flags)).length > 0)
      throw new CliError(2, '--changes covers the whole session.', 'Remove --depth, --turn and --last.')
    return showChanges(input, keyOrId)
  }
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
      const look = { terminal, depth: depth ?? null, nowMs: clock() }
      for (const piece of printConversation(detail, chosen, look)) await terminal.write(piece)
      if (terminal.columns !== null) terminal.note(`\n${footer(key, flags)}`)
    }
    failForUnread(detail)
  })
}

function footer(key: string, flags: Flags): string {
  const { depth, file } = flags
  const resume =
    file === undefined
      ? escapeLine(`Resume: ${nextCommand(flags, 'resume', key)}`)
      : 'An opened file can’t be resumed here. Start a new session with: gemini-dash handover --file PATH'
  return depth === undefined ? `${resume}    Tokens and cost: --depth all` : resume
}

async function showChanges(input: CommandInput, keyOrId: string): Promise<void> {
  const { flags, terminal } = input
  const { project } = flags
  const clock = await clockOf(flags)
  await withAnswer(
    input,
    { command: 'changes', keyOrId, project },
    async ({ resolution, detail, changes }) => {
      const key = chosenSession(keyOrId, resolution, project)
      if (detail === null || changes === null)
        throw new CliError(1, `The files of session ${key} have just been deleted.`)
      if (flags.json) await terminal.write(jsonLine({ schemaVersion: SCHEMA_VERSION, ...changes }))
      else {
        await terminal.write(`${printHead(detail, { terminal, nowMs: clock() })}\n`)
        for (const piece of printChanges(changes, terminal.isColorful)) await terminal.write(piece)
      }
      failForUnread(detail)
    },
  )
}

async function showCost(input: CommandInput, keyOrId: string): Promise<void> {
  const { flags, terminal } = input
  const others = Object.keys(partFlags(flags)).map((name) => `--${name}`)
  if (others.length > 0)
    throw new CliError(2, `--cost and ${others.join(', ')} can’t be combined.`, 'Use only one of them.')
  await withAnswer(input, { command: 'why', keyOrId, project: flags.project }, async (answer) => {
    const { resolution, title, why, unread } = answer
    const key = chosenSession(keyOrId, resolution, flags.project)
    if (why === null) throw new CliError(1, `The files of session ${key} have just been deleted.`)
    if (flags.json) await terminal.write(jsonLine(why))
    else await terminal.write(printCostWhy(title, why, terminal))
    failForUnread({ unread })
  })
}

/** Message by message: the text of a long session can exceed the maximum length of a string (512 MB). */
async function writeJson(
  { session, segments, coverage, unread }: SessionDetail & { coverage: Coverage },
  chosen: Iterable<CutMessage>,
  terminal: Terminal,
) {
  const head = JSON.stringify({ schemaVersion: SCHEMA_VERSION, session, segments, coverage, unread })
  await terminal.write(`${head.slice(0, -1)},"messages":[`)
  let separator = ''
  for (const { message } of chosen) {
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
  return new CliError(1, 'Turn not found in this session.', `Its turns are ${first} to ${last}.`)
}

/** Of the sessions that a KEY may refer to; beyond this, they are counted instead of listed. */
const MOST_NAMED = 20

/** The key of the one session that KEY refers to. @throws with the candidates if it is ambiguous */
export function chosenSession(keyOrId: string, resolution: KeyResolution, project?: string): string {
  if (resolution.kind === 'one') return resolution.key
  if (resolution.kind === 'none') {
    throw new CliError(
      1,
      `There is no session "${keyOrId}"${project === undefined ? '' : ` in a project "${project}"`}.`,
      sessionFileHint(keyOrId) ??
        (keyOrId.startsWith('-')
          ? 'It is not an option of this command either. "gemini-dash list --kind all" lists the keys of all sessions.'
          : '"gemini-dash list --kind all" lists the keys of all sessions.'),
    )
  }
  const { keys } = resolution
  const more = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : ''
  throw new CliError(
    2,
    `"${keyOrId}" matches ${keys.length} sessions.`,
    `Use one of: ${keys.slice(0, MOST_NAMED).join(', ')}${more}`,
  )
}
