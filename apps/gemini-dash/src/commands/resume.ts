import {
  type MoveAnswer,
  moveAnswerSchema,
  type Resume,
  resumeQuerySchema,
  type Shell,
} from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { createAccess } from '../access.ts'
import { readQuery, runningServer, withAnswer } from '../environment/answer-question.ts'
import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { openStore } from '../environment/open-store.ts'
import { ownFolder } from '../environment/own-folder.ts'
import { moveSessions } from '../move.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { changeByServer } from '../serve/ask-server.ts'
import type { AskedOf } from '../store/command-question.ts'
import { installedCli } from '../store/installed-cli.ts'
import { ownShell } from '../store/quote-for-shell.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { nextCommand, quoteWord } from './next-command.ts'
import { chosenSession } from './show.ts'

export const resume: RunCommand = async (input) => {
  const { flags, positionals } = input
  const [keyOrId] = positionals
  if (keyOrId === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash resume KEY')
  const shell: Shell = readQuery(resumeQuerySchema, { shell: flags.shell }).shell ?? ownShell()

  const question = { command: 'resume' as const, keyOrId, shell, cli: installedCli() }
  const found: { key: string; plan: Resume }[] = []
  await withAnswer(input, question, async ({ resolution, plan }) => {
    const key = chosenSession(keyOrId, resolution)
    if (plan === null) throw new CliError(1, `The files of session ${key} have just been deleted.`)
    found.push({ key, plan })
  })
  for (const { key, plan } of found) await tell(input, key, plan, question)
}

async function tell(
  input: CommandInput,
  key: string,
  plan: Resume,
  question: AskedOf<'resume'>,
): Promise<void> {
  const { flags, terminal } = input
  const isGone = plan.problems.includes('folder-gone') && plan.command !== null && !flags.demo
  const notes = [...plan.notes, ...(isGone ? await whereTo(input, key, question) : [])]
  if (flags.json) return terminal.write(jsonLine({ ...plan, notes }))
  if (plan.command === null) throw new CliError(1, notes.map(escapeLine).join(' '))
  // Alone on stdout, for the shell to read; invisible characters are quoted by their code points.
  await terminal.write(`${plan.command}\n`)
  for (const note of notes) terminal.note(escapeLine(note))
}

/** Where the project may be now, as `move` finds it, and how to move its sessions there. Empty if the session cannot be moved. */
async function whereTo(input: CommandInput, key: string, question: AskedOf<'resume'>): Promise<string[]> {
  const { targets, refused } = await proposeMove(input, key, question)
  if (!refused.every(({ code }) => code === 'no-target')) return []
  const [target] = targets
  if (target === undefined)
    return [
      `If the project was moved: run Gemini CLI once in its new folder, then ${nextCommand(input.flags, 'move', key, '--to DIR --write')}`,
    ]
  return [
    `The project may be in ${target.path} now. ${target.evidence.map(({ text }) => text).join(' ')}`,
    `To move the session there: ${nextCommand(input.flags, 'move', key, `--to ${quoteWord(target.path)} --write`)}`,
  ]
}

async function proposeMove(
  { flags, terminal }: CommandInput,
  key: string,
  question: AskedOf<'resume'>,
): Promise<Pick<MoveAnswer, 'targets' | 'refused'>> {
  const dataFolder = await ownFolder('data', flags)
  const server = dataFolder === null ? null : await runningServer(flags, dataFolder)
  if (server !== null) {
    const path = apiPaths.move(key, { write: 'false' })
    const { answer } = await changeByServer(server, path, createAccess(dataFolder))
    return moveAnswerSchema.safeParse(answer).data ?? UNKNOWN
  }
  const homes = chooseExistingHomes(flags)
  const { store, open, readFor, recovering } = await openStore({ homes, flags, terminal, isWatching: false })
  try {
    await open()
    await readFor(question)
    const request = { keys: () => [key], to: null, isWriting: false }
    return (await moveSessions({ recovering, dataFolder: null, nowMs: Date.now() }, request)) ?? UNKNOWN
  } finally {
    await store.close()
  }
}

const UNKNOWN: Pick<MoveAnswer, 'targets' | 'refused'> = { targets: [], refused: [] }
