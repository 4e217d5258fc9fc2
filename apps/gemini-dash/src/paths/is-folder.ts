import { statSync } from 'node:fs'

/** Links are followed. What the system cannot look up, for whatever reason, is none: what a file gives for a path may be anything. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
