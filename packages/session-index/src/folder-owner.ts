import { readFileSync } from 'node:fs'

/** The owner of the index folder: the file that records it, and the random id in it. */
export interface FolderOwner {
  file: string
  id: string
}

/**
 * false: the folder was removed or now belongs to another process. Assumes ownership if the file cannot be read at the moment. Without zod,
 * since threads that only search load none.
 */
export function ownsFolder({ file, id }: FolderOwner): boolean {
  try {
    return readFileSync(file, 'utf8').includes(id)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return code !== 'ENOENT' && code !== 'ENOTDIR'
  }
}
