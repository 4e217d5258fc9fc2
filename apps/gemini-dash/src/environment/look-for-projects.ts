import { formatCount } from '@gemini-dash/api/figures'
import type { FoundFolders } from '../folder-search/find-project-folders.ts'
import type { Store } from '../store/store.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `--find-projects`: looks where people keep code for the folders of projects that are known by a hash only. */
export async function lookForProjects(
  store: Store,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (store.projects().projects.every(({ path }) => path !== null)) {
    terminal.note('The folder of every project is known; nothing had to be looked for.')
    return
  }
  terminal.progress('Looking for the folders of projects')
  const result = await store.findFolders(signal)
  if (result.looked.end !== 'cancelled') terminal.note(sentenceOf(result))
}

function sentenceOf({ wanted, found, looked }: FoundFolders): string {
  const places = looked.places.length === 0 ? 'the home folder' : looked.places.join(', ')
  const end = looked.end === 'time' || looked.end === 'folders' ? ', and stopped there,' : ''
  const outcome =
    found.size === 0
      ? `none is the folder of any of the ${formatCount(wanted)} projects without a known path`
      : `found the folder of ${formatCount(found.size)} of ${formatCount(wanted)} projects without a known path`
  return `Looked at ${formatCount(looked.folders)} folders below ${places}${end}: ${outcome}.`
}
