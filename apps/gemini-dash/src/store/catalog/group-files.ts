import type { IndexGroup } from '@gemini-dash/session-index'

/** What the files of a group take together. */
export function groupBytes({ files }: Pick<IndexGroup, 'files'>): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** When the last of its files was written, by the system's clock; 0 for a group without files. */
export function groupWrittenMs({ files }: Pick<IndexGroup, 'files'>): number {
  return files.reduce((newest, { mtimeMs }) => Math.max(newest, mtimeMs), 0)
}
