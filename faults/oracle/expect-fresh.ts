import { setTimeout as sleep } from 'node:timers/promises'
import { copyKeys, foldersIn, type Server, startServer } from '../program/start-server.ts'
import type { Trial } from '../trial.ts'
import { type Answers, collectAnswers } from './answers.ts'
import { findDifferences } from './find-differences.ts'
import { withoutLookingOn } from './without-looking-on.ts'

/** Changes without events are found by a scan every 30 seconds, and unreadable files are retried. */
const SETTLE_MS = 75_000
const PAUSE_MS = 500
const SHOWN = 20
/** The answers after a start with an empty cache, which is kept in `folder`. */
export async function freshAnswers(
  trial: Trial,
  home: string,
  { program = trial.program, folder = trial.newFolder() } = {},
): Promise<Answers> {
  const { data, cache } = foldersIn(folder)
  copyKeys(home, data)
  const server = await startServer({ program, home, cache, data })
  try {
    await server.whenReady()
    return await collectAnswers(server.get)
  } finally {
    await server.end()
  }
}

interface Expectation {
  /** The server watched files grow. */
  hasLookedOn?: boolean
  /** The server has another date, so upcoming deletions differ. */
  hasOtherDate?: boolean
}

/** Waits until the server gives the expected answers, and records every remaining difference. */
export async function expectAnswers(
  trial: Trial,
  server: Server,
  expected: Answers,
  { hasLookedOn = false, hasOtherDate = false }: Expectation = {},
): Promise<void> {
  const untilMs = performance.now() + SETTLE_MS
  const compared = (answers: Answers): unknown => {
    const known = hasOtherDate ? { ...answers, doctor: null } : answers
    return hasLookedOn ? withoutLookingOn(known) : known
  }
  while (true) {
    const differences = await differencesNow(server, expected, compared)
    if (differences.length === 0) return
    if (performance.now() > untilMs || !server.isRunning()) {
      trial.addDifferences(differences.slice(0, SHOWN))
      return
    }
    await sleep(PAUSE_MS)
  }
}

/** A failed request counts as a difference. */
async function differencesNow(
  server: Server,
  expected: Answers,
  compared: (answers: Answers) => unknown,
): Promise<string[]> {
  try {
    await server.whenReady()
    return findDifferences(compared(await collectAnswers(server.get)), compared(expected))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
