import { readdirSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { startThreads } from '@gemini-dash/session-index/threads'
import type { Flags } from '../terminal/flags.ts'

export type OwnFolder = 'cache' | 'data'

/** Where the folder is or would be; null: nobody knows. */
export async function ownFolder(name: OwnFolder, flags: Flags): Promise<string | null> {
  const given = flags[`${name}-dir`]
  if (given !== undefined) return resolve(given)
  try {
    // Looks for the home folder as soon as it is imported, and throws where there is none.
    const { default: envPaths } = await import('env-paths')
    const folder = envPaths('gemini-dash', { suffix: '' })[name]
    return isAbsolute(folder) ? folder : null
  } catch {
    return null
  }
}

/**
 * Where something was indexed before, the threads of the index load their program while this one loads its own: the first
 * list waits for both. Imports next to nothing, so that it can come first.
 */
export async function startIndexThreads(flags: Flags): Promise<void> {
  if (flags['no-cache']) return
  const folder = await ownFolder('cache', flags)
  if (folder !== null && hasIndex(folder)) startThreads(programFiles.indexWorker)
}

function hasIndex(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.startsWith('index-'))
  } catch {
    return false
  }
}

/** What the build puts beside the program. */
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
