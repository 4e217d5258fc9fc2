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

/** Runs a part on such a home as long as there is time; whatever it does, nothing below the home may be touched. */
export async function runOnStillHome(
  trial: Trial,
  runOnce: (still: StillHome) => Promise<void>,
): Promise<void> {
  const folder = trial.newFolder()
  const { home, cache } = foldersIn(folder)
  writeHome(home, trial.seed)
  const fresh = await freshAnswers(trial, home, { folder })
  await expectUntouched(trial, home, async () => {
    while (trial.hasTime()) await runOnce({ home, fresh, cache })
  })
}
