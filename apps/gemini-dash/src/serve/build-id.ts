import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../terminal/terminal.ts'

/** Changes with every build of the program, even if the version does not. */
export function buildId(): string {
  return `${VERSION} ${statSync(fileURLToPath(import.meta.url)).mtimeMs}`
}
