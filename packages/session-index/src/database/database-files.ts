import { constants, copyFileSync, existsSync, rmSync } from 'node:fs'
import { replaceFile } from './database-sum.ts'

export function removeShardDatabase(path: string): void {
  for (const end of ['', '.new', '.sum', '.sum.new', '-journal', '-journal.new', '-wal', '-shm', '.lock']) {
    rmSync(`${path}${end}`, { recursive: true, force: true })
  }
}

/**
 * Replaces the file of a database by a copy: a process that was suspended in the middle of a commit finishes it in the old file, which no
 * longer has a name. Without room for a copy, the database is removed.
 */
export function detachShardDatabase(path: string): void {
  try {
    for (const file of [`${path}-journal`, path]) {
      if (!existsSync(file)) continue
      copyFileSync(file, `${file}.new`, constants.COPYFILE_FICLONE)
      replaceFile(`${file}.new`, file)
    }
  } catch {
    removeShardDatabase(path)
  }
}
