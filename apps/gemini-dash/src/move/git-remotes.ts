import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MAX_CONFIG_BYTES = 256 * 1024
/** `git@host:owner/repo.git`, `https://host/owner/repo`, `ssh://git@host:22/owner/repo.git` */
const ADDRESS =
  /(?:(?:https?|ssh|git):\/\/(?:[^\s/@"']+@)?|\bgit@)([A-Za-z0-9.-]+)(?::\d+(?=\/))?[:/]([\w.~/-]+)/g

/** The remotes of a folder's own repository; none where it has none, or keeps it elsewhere. Reads `.git/config` alone. */
export function readRemotes(folder: string): string[] {
  const config = join(folder, '.git', 'config')
  try {
    const found = lstatSync(config)
    if (!found.isFile() || found.size > MAX_CONFIG_BYTES) return []
    const lines = readFileSync(config, 'utf8').split('\n')
    return lines.filter((line) => /^\s*url\s*=/.test(line)).flatMap(remoteNames)
  } catch {
    return []
  }
}

/** Addresses of repositories in a text, as one and the same name whatever the way to reach them. */
export function remoteNames(text: string): string[] {
  return [...text.matchAll(ADDRESS)].map(([, host = '', path = '']) =>
    `${host}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`.toLowerCase(),
  )
}
