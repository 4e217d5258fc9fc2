import { type FileHandle, open } from 'node:fs/promises'
import { findWorkspacePaths } from '../derive/find-workspace-paths.ts'
import { readSessionHead, type SessionHead } from '../parse/read-session-head.ts'
import type { DiscoveredFile } from './discovered-file.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'

const HEAD_BYTES = 4096
/** Where the id does not stand in the first bytes: files that other tools wrote, with the messages first. */
const LONG_HEAD_BYTES = 64 * 1024

export interface FileHead extends SessionHead {
  /** Workspace folders named in the injected session context (0.44+). */
  directories: string[]
}

/** What the first 4 KB of a file tell (64 KB if they hold no id). null: it is gone, or the system refuses. */
export async function readHead(file: DiscoveredFile): Promise<FileHead | null> {
  try {
    const handle = await open(file.absolutePath, READ_ONLY_FLAGS)
    try {
      const head = await readFirst(handle, HEAD_BYTES)
      if (head.sessionId !== null || file.sizeBytes <= HEAD_BYTES) return head
      return await readFirst(handle, LONG_HEAD_BYTES)
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

async function readFirst(handle: FileHandle, sizeBytes: number): Promise<FileHead> {
  const buffer = Buffer.allocUnsafe(sizeBytes)
  const { bytesRead } = await handle.read(buffer, 0, sizeBytes, 0)
  const bytes = buffer.subarray(0, bytesRead)
  return { ...readSessionHead(bytes), directories: findWorkspacePaths(bytes.toString('utf8')) }
}
