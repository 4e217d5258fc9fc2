import { readFileSync } from 'node:fs'

/** Who has the folder of the index: the file that says so, and the random id that it holds. */
export interface FolderOwner {
  file: string
  id: string
}

/**
 * false: the folder is another process's by now, or was taken away. Where the file cannot be read just now nothing of that is
 * known. Without zod, as threads that only search load none.
 */
export function ownsFolder({ file, id }: FolderOwner): boolean {
  try {
    return readFileSync(file, 'utf8').includes(id)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return code !== 'ENOENT' && code !== 'ENOTDIR'
  }
}
