import type { Answers } from './oracle/answers.ts'
import { freshAnswers } from './oracle/expect-fresh.ts'
import { expectUntouched } from './oracle/untouched.ts'
import { foldersIn } from './program/start-server.ts'
import { writeHome } from './stand-in/write-home.ts'
import type { Trial } from './trial.ts'

/** A Gemini folder that nothing writes to. */
export interface StillHome {
  home: string
  /** The answers after a start with an empty cache. */
  fresh: Answers
  /** The cache after that start. */
  cache: string
}

/** Shared by all parts: it is read-only, and creating it takes as long as a short run. */
let made: Promise<StillHome> | null = null

/** Runs a part on such a Gemini folder until the time is over; nothing below the folder may change. */
export async function runOnStillHome(
  trial: Trial,
  runOnce: (still: StillHome) => Promise<void>,
): Promise<void> {
  made ??= makeStillHome(trial)
  const still = await made
  await expectUntouched(trial, still.home, async () => {
    while (trial.hasTime()) await runOnce(still)
  })
}

async function makeStillHome(trial: Trial): Promise<StillHome> {
  const folder = trial.newCommonFolder()
  const { home, cache } = foldersIn(folder)
  writeHome(home, trial.seed)
  return { home, cache, fresh: await freshAnswers(trial, home, { folder }) }
}
