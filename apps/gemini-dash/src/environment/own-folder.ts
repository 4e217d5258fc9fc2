import { readdirSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { startThreads } from '@gemini-dash/session-index/threads'
import type { Flags } from '../terminal/flags.ts'

export type OwnFolder = 'cache' | 'data'

/** Where the folder is or would be; null if unknown. */
export async function ownFolder(name: OwnFolder, flags: Flags): Promise<string | null> {
  const given = flags[`${name}-dir`]
  if (given !== undefined) return resolve(given)
  try {
    // Looks up the home folder on import, and throws if there is none.
    const { default: envPaths } = await import('env-paths')
    const folder = envPaths('gemini-dash', { suffix: '' })[name]
    return isAbsolute(folder) ? folder : null
  } catch {
    return null
  }
}

/**
 * If an index exists, its threads load their program while this one loads its own: the first list waits for both. Imports almost nothing,
 * so that it can run first.
 */
export async function startIndexThreads(flags: Flags): Promise<void> {
  if (flags['no-cache']) return
  const folder = await ownFolder('cache', flags)
  if (folder !== null && namesIn(folder).some((name) => name.startsWith('index-')))
    startThreads(programFiles.indexWorker)
}

/** The same for a command, which queries a running server instead if there is one. */
export async function startIndexThreadsAlone(flags: Flags): Promise<void> {
  const folder = await ownFolder('data', flags)
  if (folder === null || namesIn(join(folder, 'servers')).length === 0) await startIndexThreads(flags)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Files that the build puts next to the program. */
export const programFiles = {
  serveThread: beside('serve-thread.js'),
  indexWorker: beside('index-worker.js'),
  readerWorker: beside('reader-worker.js'),
  keepWorker: beside('keep-worker.js'),
  web: beside('web/'),
  demoHome: beside('demo-home/'),
}

function beside(path: string): URL {
  return new URL(path, import.meta.url)
}
