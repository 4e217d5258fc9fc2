import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Of a program that runs; gone when it ends. */
const OWNER_FILE = 'owner.json'

/** Bytes of all files that are kept below a folder; 0 where there is none. */
export async function folderSize(directory: string | null): Promise<number> {
  if (directory === null) return 0
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names
      .filter((name) => name !== OWNER_FILE)
      .map((name) =>
        stat(join(directory, name)).then(
          (stats) => (stats.isFile() ? stats.size : 0),
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
