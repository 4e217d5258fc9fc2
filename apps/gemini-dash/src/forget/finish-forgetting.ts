import type { GeminiHome } from 'gemini-sessions/node'
import { HomeWriter } from '../home-writes/home-writer.ts'
import { ArchiveControl } from '../keep/archive-control.ts'
import { openKeyFile } from '../own-data/key-registry.ts'
import { openMarks } from '../own-data/open-marks.ts'
import { removeIndexes } from '../store/cache.ts'
import type { ForgetJournal } from './forget-journal.ts'

interface FinishOptions {
  dataFolder: string
  cacheFolder: string | null
  homes: readonly GeminiHome[]
  tell: (message: string) => void
}

/**
 * Completes an erasure that a killed process left unfinished. Which indexes contained the session is unknown by now, so all are rebuilt.
 */
export async function finishForgetting(
  journal: ForgetJournal,
  { dataFolder, cacheFolder, homes, tell }: FinishOptions,
): Promise<void> {
  const release = journal.claim()
  if (release === null) return
  try {
    const forgotten = journal.read()
    if (forgotten !== null) {
      const known = new Set(homes.map(({ path }) => path))
      const others = [...new Set(forgotten.files.map(({ home }) => home))].filter((home) => !known.has(home))
      const all = [...homes, ...others.map((path) => ({ path, tmpPath: `${path}/tmp`, exists: true }))]
      const tellProblem = (problem: string | null) => problem !== null && tell(problem)
      await new ArchiveControl({ dataFolder, homes: all, tell: tellProblem }).forget(forgotten)
      const keys = new Set(forgotten.keys)
      openMarks(dataFolder, tellProblem).store.forget(keys)
      openKeyFile(dataFolder, tellProblem).drop(keys)
      await new HomeWriter(dataFolder).forget(keys)
      const caches = new Set([forgotten.cacheFolder, cacheFolder].flatMap((folder) => folder ?? []))
      // if one is in use, the next start tries again
      if ([...caches].map((folder) => removeIndexes(folder)).some(({ inUse }) => inUse > 0)) return
    }
    journal.remove()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    tell(`A session could not be fully deleted from gemini-dash: ${reason}. The next start tries again.`)
  } finally {
    release()
  }
}
