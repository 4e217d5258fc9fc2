import { lstat } from 'node:fs/promises'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { fingerprint } from './fingerprint.ts'

/** The group with one of its files as it is now; null where only a scan can tell: it is gone, or another file. */
export async function restatGroup(group: IndexGroup, absolutePath: string): Promise<IndexGroup | null> {
  const file = group.files.find((candidate) => candidate.absolutePath === absolutePath)
  const stats = await lstat(absolutePath, { bigint: true }).catch(() => null)
  if (file === undefined || stats === null || !stats.isFile() || String(stats.ino) !== file.inode) return null
  const now: DiscoveredFile = {
    ...file,
    sizeBytes: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    mtimeNs: String(stats.mtimeNs),
    ctimeNs: String(stats.ctimeNs),
  }
  const files = group.files.map((candidate) => (candidate === file ? now : candidate))
  const { id, prices, claims } = group
  return { id, fingerprint: fingerprint(files, prices, claims), files, prices, claims }
}
