import type { DiscoveredFile } from 'gemini-sessions/node'

/** A file as it was when it was read: any write, replacement, change of rights or restored time changes it. */
export type FileStamp = [
  absolutePath: string,
  sizeBytes: number,
  mtimeNs: string,
  ctimeNs: string,
  inode: string,
]

export function stampOf({ absolutePath, sizeBytes, mtimeNs, ctimeNs, inode }: DiscoveredFile): FileStamp {
  return [absolutePath, sizeBytes, mtimeNs, ctimeNs, inode]
}

export function isUnchanged(stamp: FileStamp, now: DiscoveredFile): boolean {
  const stampNow = stampOf(now)
  return stamp.every((part, index) => part === stampNow[index])
}
