import type { DriftNote, InFile } from '../../model/parse-issue.ts'
import type { StitchFile } from '../files/stitch-file.ts'

/**
 * What no known version writes, in the files of a session. They repeat each other, in part or whole, so a name counts
 * as often as in the file that has it most: copies and twins add nothing.
 */
export function collectDrift(files: readonly StitchFile[]): InFile<DriftNote>[] {
  const found = new Map<string, InFile<DriftNote>>()
  for (const { parsed } of files) {
    for (const note of parsed.drift) {
      const identity = `${note.where}\n${note.name}`
      const known = found.get(identity)
      if (known === undefined || known.count < note.count) found.set(identity, { ...note, file: parsed.path })
    }
  }
  return [...found.values()]
}
