import type { IndexingScope } from '../store/indexing/indexing.ts'
import type { Store } from '../store/store.ts'
import type { CommandInput } from '../terminal/commands.ts'
import { chooseExistingHomes } from './choose-homes.ts'
import { findProjects } from './find-projects.ts'
import { openStore } from './open-store.ts'

const PROGRESS_DELAY_MS = 500

/**
 * For commands that end: answers come from everything there is, so indexing is waited for, and told of. A command that
 * needs rows only does not wait for the index where an earlier run has left all of them.
 */
export async function withIndexedStore(
  { flags, terminal }: CommandInput,
  answer: (store: Store) => Promise<void>,
  scope: IndexingScope = 'rows',
): Promise<void> {
  const startedAt = Date.now()
  const onProgress = (done: number, total: number) => {
    if (Date.now() - startedAt > PROGRESS_DELAY_MS)
      terminal.progress(`Reading sessions: ${done} of ${total} files`)
  }
  const homes = chooseExistingHomes(flags)
  const { store, open, begin } = await openStore({ homes, flags, terminal, isWatching: false, onProgress })
  try {
    await open()
    if (scope === 'text' || !store.hasAllRows()) {
      await begin(scope)
      await store.whenReady()
    }
    if (flags['find-projects']) await findProjects(store, terminal)
    terminal.clearProgress()
    await answer(store)
  } finally {
    await store.close()
  }
}
