import type { Answers } from './oracle/answers.ts'
import { freshAnswers } from './oracle/expect-fresh.ts'
import { expectUntouched } from './oracle/untouched.ts'
import { foldersIn } from './program/start-server.ts'
import { writeHome } from './stand-in/write-home.ts'
import type { Trial } from './trial.ts'

/** A home to which nobody writes. */
export interface StillHome {
  home: string
  /** What a start from an empty cache answers. */
  fresh: Answers
  /** What that start has left of its cache. */
  cache: string
}

/** All parts have the same one: nobody may touch it, and making it takes as long as a short run. */
let made: Promise<StillHome> | null = null

/** Runs a part on such a home as long as there is time; whatever it does, nothing below the home may be touched. */
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
