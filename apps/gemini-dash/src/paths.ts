import { statSync } from 'node:fs'
import nodePath, { type PlatformPath } from 'node:path'
import { foldPath } from 'gemini-sessions'

/**
 * How a system writes and compares paths. Inside the program `/` is the separator on every system; native paths are converted here first.
 */
export interface PathStyle {
  /** Converts to `/`. A backslash that is part of a name stays one. */
  toSlashes(path: string): string
  /** Whether the path is that folder or inside it. */
  isWithin(path: string, folder: string): boolean
}

export function pathStyle(
  { sep }: Pick<PlatformPath, 'sep'> = nodePath,
  platform: string = process.platform,
): PathStyle {
  // On a Mac all local paths compare this way, wherever they are.
  const toKey = (path: string) => (platform === 'darwin' ? foldPath(path, 'macos') : foldPath(path))
  return {
    toSlashes: (path) => (sep === '\\' ? path.replaceAll('\\', '/') : path),
    isWithin: (path, folder) => `${toKey(path)}/`.startsWith(`${toKey(folder)}/`),
  }
}

/** Follows links. A path that cannot be looked up, for any reason, is not a folder: paths that come from files may be anything. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
