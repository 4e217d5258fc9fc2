import { closeSync, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import type { FoundFile } from './found-file.ts'

/** A file that is open for reading. */
export interface OpenedNeighbour {
  /** To be closed by whoever asked. */
  descriptor: number
  sizeBytes: number
}

/**
 * Opens a listed file to read it. null: it is gone, no regular file, or what stands there now lies outside the project's
 * own folder. Asked of the file that is open, so nothing put in its place meanwhile gets through.
 */
export function openNeighbour({
  folder,
  place,
}: Pick<FoundFile, 'folder' | 'place'>): OpenedNeighbour | null {
  const path = `${folder}/${place}`
  let descriptor: number
  try {
    descriptor = openSync(path, READ_ONLY_FLAGS)
  } catch {
    return null
  }
  try {
    const opened = fstatSync(descriptor, { bigint: true })
    const realPath = realpathSync(path)
    const named = lstatSync(realPath, { bigint: true })
    const isInside = realPath.startsWith(`${realpathSync(folder)}${sep}`)
    const isSame = named.ino === opened.ino && named.dev === opened.dev
    if (opened.isFile() && isInside && isSame) return { descriptor, sizeBytes: Number(opened.size) }
  } catch {
    // Gone between two questions.
  }
  closeSync(descriptor)
  return null
}
