import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A Node.js that runs the program. */
export interface Runtime {
  executable: string
  version: string
  /** The SQLite driver used by the index on this Node.js. */
  driver: string
}

const PRINT_RUNTIME = fileURLToPath(new URL('./print-runtime.ts', import.meta.url))

/** Asks the Node.js itself. Throws an error with a sentence for the user. */
export function findRuntime(executable: string): Runtime {
  if (!existsSync(executable))
    throw new Error(`There is no ${executable}; --node wants the path of a Node executable.`)
  const { status, stdout, stderr } = spawnSync(executable, ['--import', 'tsx', PRINT_RUNTIME], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${executable} could not say which Node it is: ${stderr.trim()}`)
  return { executable, ...JSON.parse(stdout) }
}

export function runtimeName({ version, driver }: Runtime): string {
  return `Node ${version}, ${driver}`
}
