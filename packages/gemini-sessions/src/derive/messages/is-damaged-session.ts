import type { SessionFile } from '../../model/session-summary.ts'

/** None of its files is whole: the CLI reads none of it, and what stands before the cut gives no true figures. */
export function isDamagedSession({ files }: { files: readonly SessionFile[] }): boolean {
  return files.length > 0 && files.every(({ role }) => role === 'damaged')
}
