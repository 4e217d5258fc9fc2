import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stampFolder } from './workspace.mjs'

const NOT_SOURCE = new Set(['node_modules', 'dist', '.git', 'coverage'])

/** Whether the named step was last completed with exactly this fingerprint. */
export function isUpToDate(name, fingerprint) {
  try {
    return readFileSync(join(stampFolder, name), 'utf8') === fingerprint
  } catch {
    return false
  }
}

export function remember(name, fingerprint) {
  mkdirSync(stampFolder, { recursive: true })
  writeFileSync(join(stampFolder, name), fingerprint)
}

/** Hash of file contents. A missing file counts as empty. */
export function contentFingerprint(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}`)
  for (const path of paths) hash.update(`\0${path}\0`).update(contentOf(path))
  return hash.digest('hex')
}

/** Hash of names, sizes and times of every file below the folders: fast enough for every start. */
export function treeFingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths) addTree(hash, path)
  return hash.digest('hex')
}

function contentOf(path) {
  try {
    return readFileSync(path)
  } catch {
    return ''
  }
}

function addTree(hash, path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return
  if (!stats.isDirectory()) {
    hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`)
    return
  }
  for (const name of readdirSync(path).sort()) {
    if (!NOT_SOURCE.has(name)) addTree(hash, join(path, name))
  }
}
