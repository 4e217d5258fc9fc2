import { closeSync, openSync, readSync } from 'node:fs'
import { findDirectories } from '../../derive/path-clues/find-directories.ts'
import { findWorkspacePaths } from '../../derive/path-clues/find-workspace-paths.ts'
import { decodeFile, detectEncoding, type FileEncoding } from '../../parse/json/file-encoding.ts'
import { readSessionHead, type SessionHead } from '../../parse/session-file/read-session-head.ts'
import { readSessionTail } from '../../parse/session-file/read-session-tail.ts'
import { faultCode } from '../files/read-fault.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import { TimeSlice } from '../files/time-slice.ts'
import type { DiscoveredFile } from '../scan/scan.ts'

const HEAD_BYTES = 4096
/** Where the id does not stand in the first bytes: files that other tools wrote, with the messages first. */
const LONG_HEAD_BYTES = 64 * 1024

/** What the first bytes of a file tell of it. */
export interface FileHead extends SessionHead {
  /** `directories` of the file, if they stand so early. */
  directories: string[]
  /** Workspace folders named in the injected session context (up to 0.20 and since 0.44). */
  contextPaths: string[]
}

/**
 * What the first 4 KB of each file tell (64 KB, and the last 64 KB, if they hold no id); a file that is gone or refused has no entry.
 * Synchronous calls in slices of a few milliseconds: ten times as fast as promises, and the event loop stays free.
 * `onFault` hears of files that the system does not let us read just now, with its code.
 */
export async function readHeads(
  files: readonly DiscoveredFile[],
  onFault: (file: DiscoveredFile, code: string) => void = () => {},
): Promise<Map<DiscoveredFile, FileHead>> {
  const heads = new Map<DiscoveredFile, FileHead>()
  const slice = new TimeSlice()
  for (const file of files) {
    if (slice.isOver()) await slice.next()
    try {
      heads.set(file, readHead(file))
    } catch (error) {
      const code = faultCode(error)
      if (code !== null) onFault(file, code)
    }
  }
  return heads
}

function readHead(file: DiscoveredFile): FileHead {
  const descriptor = openSync(file.absolutePath, READ_ONLY_FLAGS)
  try {
    const head = readFirst(descriptor, HEAD_BYTES)
    if (head.sessionId !== null || file.sizeBytes <= HEAD_BYTES) return head
    const longHead = readFirst(descriptor, LONG_HEAD_BYTES)
    if (longHead.sessionId !== null || file.sizeBytes <= LONG_HEAD_BYTES) return longHead
    return { ...longHead, ...readTail(descriptor, file.sizeBytes, detectEncoding(headBuffer)) }
  } finally {
    closeSync(descriptor)
  }
}

/** One for all files: what a head says is copied out of it before the next is read. */
const headBuffer = Buffer.allocUnsafe(LONG_HEAD_BYTES)

function readFirst(descriptor: number, sizeBytes: number): FileHead {
  const bytes = headBuffer.subarray(0, readSync(descriptor, headBuffer, 0, sizeBytes, 0))
  const json = decodeFile(bytes)
  return {
    ...readSessionHead(bytes),
    directories: findDirectories(json),
    contextPaths: findWorkspacePaths(json),
  }
}

function readTail(descriptor: number, sizeBytes: number, encoding: FileEncoding): Partial<FileHead> {
  const buffer = Buffer.allocUnsafe(LONG_HEAD_BYTES)
  const bytesRead = readSync(descriptor, buffer, 0, LONG_HEAD_BYTES, sizeBytes - LONG_HEAD_BYTES)
  const tail = readSessionTail(buffer.subarray(0, bytesRead), encoding)
  if (tail === null) return {}
  // The first prompt stands in the head.
  const { firstPrompt: _, ...metadata } = tail
  return metadata
}
