import { explainLeftover, type LeftoverPlace } from './explain-leftover.ts'
import type { FolderEntry, HomeReader } from './home-reader.ts'

/** Tells of a file that is not read although its name promises a session. */
export function skipLeftover(reader: HomeReader, { name, path }: FolderEntry, place: LeftoverPlace): void {
  const explanation = explainLeftover(name, place)
  if (explanation) reader.skip({ path, code: 'left-out', ...explanation })
}
