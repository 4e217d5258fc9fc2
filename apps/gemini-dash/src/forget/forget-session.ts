import type { ForgetAnswer } from '@gemini-dash/api'
import { HomeWriter } from '../home-writes/home-writer.ts'
import { isMissing } from '../keep/bring-out.ts'
import type { ForgetRequest } from '../keep/forget-kept.ts'
import type { MarkStore } from '../own-data/open-marks.ts'
import type { Forgetting } from '../store/create-store.ts'
import type { Store } from '../store/store.ts'
import { ForgetJournal } from './forget-journal.ts'

export interface ForgetParts {
  store: Store
  forgetting: Forgetting
  /** The archives, wherever they are managed. */
  archives: { forget: (request: ForgetRequest) => Promise<number>; dataFolder: string | null }
  marks: MarkStore
}

/**
 * Erases a session with its sub-agents from everything this program stores. Files that are still in a home are listed, left alone, and
 * never archived again. null: no such session.
 *
 * @throws if it failed; what was erased until then stays erased, and the next start completes it
 */
export async function forgetSession(
  { store, forgetting, archives, marks }: ForgetParts,
  key: string,
): Promise<ForgetAnswer | null> {
  const session = forgetting.describe(key)
  if (session === null) return null
  const beside = await besideFiles(store, [...session.keys])
  const { keys, sessionIds, files } = session
  const request = { sessionIds, files: [...files, ...beside].map(({ home, path }) => ({ home, path })) }
  const { dataFolder } = archives
  const journal = dataFolder === null ? null : new ForgetJournal(dataFolder)
  const release = journal?.claim()
  if (release === null) throw new Error('another gemini-dash is deleting a session')
  try {
    journal?.write({ ...request, keys: [...keys], cacheFolder: forgetting.cacheFolder })
    const erased = await archives.forget(request)
    marks.forget(keys)
    if (dataFolder !== null) await new HomeWriter(dataFolder).forget(keys)
    await forgetting.erase(session)
    journal?.remove()
    // a file that was deleted a moment ago may not be noticed yet
    const stillThere = files
      .filter(({ isKept }) => !isKept)
      .flatMap(({ home, path }) => (isMissing(`${home}/${path}`) ? [] : [`${home}/${path}`]))
    return { sessions: session.sessionIds.length, erased, stillThere }
  } finally {
    release?.()
  }
}

/** Outputs, pictures, plans and tasks that its records name: the names of many do not show whose they are. */
async function besideFiles(store: Store, keys: readonly string[]): Promise<{ home: string; path: string }[]> {
  const found: { home: string; path: string }[] = []
  for (const key of keys) {
    const beside = await store.content.answer('neighbours', key, {}).catch(() => null)
    if (beside === null) continue
    const { savedOutputs, images, plans, tasks, restorePoints, otherFiles } = beside
    const own = [...plans, ...tasks, ...restorePoints].filter(({ scope }) => scope === 'session')
    const all = [...[...savedOutputs, ...images, ...own].flatMap(({ file }) => file ?? []), ...otherFiles]
    found.push(...all.map(({ home, path }) => ({ home, path })))
  }
  return found
}
