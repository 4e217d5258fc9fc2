import { statSync } from 'node:fs'
import nodePath, { type PlatformPath } from 'node:path'
import { foldPath } from 'gemini-sessions'

/**
 * How a system writes and compares paths. Inside the program `/` separates on every system; what the system tells in its own
 * way goes through here first.
 */
export interface PathStyle {
  /** With `/`; where a backslash is a letter of a name, it stays one. */
  toSlashes(path: string): string
  /** Is it that folder, or inside of it? */
  isWithin(path: string, folder: string): boolean
}

export function pathStyle(
  { sep }: Pick<PlatformPath, 'sep'> = nodePath,
  platform: string = process.platform,
): PathStyle {
  // Of its own paths a Mac compares all so, wherever they are.
  const toKey = (path: string) => (platform === 'darwin' ? foldPath(path, 'macos') : foldPath(path))
  return {
    toSlashes: (path) => (sep === '\\' ? path.replaceAll('\\', '/') : path),
    isWithin: (path, folder) => `${toKey(path)}/`.startsWith(`${toKey(folder)}/`),
  }
}

/** Links are followed. What the system cannot look up, for whatever reason, is none: what a file gives for a path may be anything. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
