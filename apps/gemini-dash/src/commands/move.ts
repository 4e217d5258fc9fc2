import { resolve } from 'node:path'
import { type MoveAnswer, moveAnswerSchema, sessionQuerySchema } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { withAnswer } from '../environment/answer-question.ts'
import { moveSessions } from '../move.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import type { StartedStore } from '../store/create-store.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { nextCommand, quoteWord } from './next-command.ts'
import { changeHome, keyOf, openJournalFolder, undo } from './recover.ts'

const USAGE = 'Usage: gemini-dash move KEY|--project NAME --to DIR [--write]'
/** Beyond this, they are counted instead of listed. */
const MOST_NAMED = 20

/** Shows what would be written to make sessions show up in another folder; with `--write`, writes it. */
export const move: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [word] = positionals
  const { project } = flags
  if (flags.undo && word === undefined)
    throw new CliError(2, 'Undo what?', 'Usage: gemini-dash move --undo ID')
  if ((word === undefined) === (project === undefined) && !flags.undo)
    throw new CliError(
      2,
      word === undefined ? 'Which session, or which project?' : 'A session or a project, not both.',
      USAGE,
    )
  if (flags.write && flags.to === undefined) throw new CliError(2, 'Where to?', USAGE)
  const dataFolder = await openJournalFolder(input)
  if (flags.undo) return undo(input, dataFolder ?? '', word ?? '')
  const what =
    word === undefined ? await projectMeant(input, project ?? '') : { key: await keyOf(input, word) }
  const to = flags.to === undefined ? null : resolve(flags.to)
  const isWriting = flags.write === true
  const query = { ...(to !== null && { to }), write: String(isWriting) }
  const change = {
    byServer: {
      path: 'key' in what ? apiPaths.move(what.key, query) : apiPaths.moveProject(what.projectKey, query),
      schema: moveAnswerSchema,
    },
    here: ({ recovering }: StartedStore) => {
      const keys = () => ('key' in what ? [what.key] : recovering.talksOf(what.projectKey))
      return moveSessions({ recovering, dataFolder, nowMs: Date.now() }, { keys, to, isWriting })
    },
  }
  await changeHome(input, dataFolder, change, async (answer) => {
    if (answer === null) throw new CliError(1, 'There is no session to move.')
    if (flags.json) await terminal.write(jsonLine(answer))
    else {
      const name = word === undefined ? `move --project ${quoteWord(project ?? '')}` : 'move'
      const again = (options: string) => nextCommand(flags, name, word ?? '', options)
      const lines = linesOf(answer, again, (id) => nextCommand(flags, 'move --undo', id))
      if (lines.length > 0) await terminal.write(`${lines.map(escapeLine).join('\n')}\n`)
    }
    if (answer.refused.length === 0) return
    throw new CliError(1, escapeLine(answer.refused.map(({ message }) => message).join(' ')))
  })
}

/** The one project that the argument refers to. */
async function projectMeant(input: CommandInput, wanted: string): Promise<{ projectKey: string }> {
  const query = sessionQuerySchema.parse({ kind: 'all', project: wanted })
  const found = new Map<string, string>()
  await withAnswer(input, { command: 'list', query, rows: null }, async ({ list }) => {
    for (const { project } of list.sessions) found.set(project.key, project.path ?? project.name)
  })
  const [projectKey] = found.keys()
  if (projectKey === undefined)
    throw new CliError(1, escapeLine(`No project matches "${wanted}".`), '"gemini-dash projects" lists them.')
  if (found.size > 1)
    throw new CliError(
      2,
      escapeLine(`"${wanted}" matches ${found.size} projects.`),
      escapeLine(`Use one of: ${[...found.values()].join(', ')}`),
    )
  return { projectKey }
}

function linesOf(
  { home, to, writes, sessions, notes, written, refused, targets }: MoveAnswer,
  again: (options: string) => string,
  undoing: (id: string) => string,
): string[] {
  const isDone = written !== null
  if (to === null) return targets.flatMap((target) => [`${target.path}`, ...evidenceOf(target)])
  const named = writes.slice(0, MOST_NAMED).map(({ path, sizeBytes }) => `  ${path} (${sizeBytes} bytes)`)
  return [
    `${sessions === 1 ? 'One session' : `${sessions} sessions`}, to ${to}:`,
    ...targets.flatMap(evidenceOf),
    ...(writes.length === 0 ? [] : [`${isDone ? 'Written' : 'Would be written'} into ${home}:`]),
    ...named,
    ...(writes.length > MOST_NAMED ? [`  and ${writes.length - MOST_NAMED} more`] : []),
    ...notes,
    ...(isDone ? [`Undo: ${undoing(written)}`] : []),
    ...(isDone || refused.length > 0
      ? []
      : [`Nothing was written. To write it: ${again(`--to ${quoteWord(to)} --write`)}`]),
  ]
}

function evidenceOf({ evidence }: MoveAnswer['targets'][number]): string[] {
  return evidence.map(({ text }) => `  ${text}`)
}
