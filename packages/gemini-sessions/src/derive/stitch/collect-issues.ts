import type { InFile, ParseIssue } from '../../model/parse-issue.ts'
import type { StitchFile } from '../files/stitch-file.ts'

/** What could not be read in the files of a session. Copies repeat each other's findings: each is told once. */
export function collectIssues(files: readonly StitchFile[]): InFile<ParseIssue>[] {
  const found = new Map<string, InFile<ParseIssue>>()
  for (const { parsed } of files) {
    for (const issue of parsed.issues) {
      const identity = JSON.stringify(issue)
      if (!found.has(identity)) found.set(identity, { ...issue, file: parsed.path })
    }
  }
  return [...found.values()]
}
