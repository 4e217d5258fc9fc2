import { createInterface } from 'node:readline/promises'
import { formatSize } from '@gemini-dash/api/figures'
import type { KeepDesk } from '../../keep/keep-desk.ts'
import { escapeLine } from '../../print/escape-controls.ts'
import { jsonLine } from '../../print/json-line.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { CommandInput } from '../../terminal/commands.ts'
import { sessionCount } from './print-status.ts'

/** Erases the archive of these homes, asked twice. Says before how much of it is nowhere else. */
export async function eraseKept(desk: KeepDesk, { flags, terminal }: CommandInput): Promise<void> {
  const { sessions, onlyHere, storedBytes, folder } = desk.status()
  const what = `the archive of ${sessionCount(sessions)} in ${folder} (${formatSize(storedBytes)})`
  const loss =
    onlyHere === 0
      ? 'All of it is still in a home.'
      : `Of ${sessionCount(onlyHere)} it holds the only copy, in whole or in part.`
  if (storedBytes > 0 && !flags.yes) await askTwice(what, loss)
  else if (storedBytes > 0) terminal.note(escapeLine(loss))
  await desk.erase(() => terminal.note('Another gemini-dash is keeping just now; waiting for it.'))
  if (flags.json) return terminal.write(jsonLine(desk.status()))
  await terminal.write(
    `${storedBytes === 0 ? 'Nothing was kept, and nothing is kept any more.' : escapeLine(`Erased ${what}. Nothing is kept any more.`)}\n`,
  )
}

async function askTwice(what: string, loss: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError(
      2,
      `This would erase ${what}. ${loss}`,
      'Nobody can be asked here; with --yes it is erased without asking.',
    )
  const question = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const first = await question.question(escapeLine(`Erase ${what}? ${loss} [y/N] `))
    if (!/^y(es)?$/i.test(first.trim())) throw new CliError(1, 'Nothing was erased.')
    const second = await question.question('It cannot be brought back. Write "erase" to go on: ')
    if (second.trim() !== 'erase') throw new CliError(1, 'Nothing was erased.')
  } finally {
    question.close()
  }
}
