import nodePath, { type PlatformPath } from 'node:path'
import { foldPath } from 'gemini-sessions'

/**
 * How a system writes and compares paths. Inside the program `/` separates on every system; what the system tells in its own
 * way goes through here first.
 */
export interface PathFlavour {
  /** With `/`; where a backslash is a letter of a name, it stays one. */
  toSlashes(path: string): string
  /** Is it that folder, or inside of it? */
  isWithin(path: string, folder: string): boolean
}

export function pathFlavour(
  { sep }: Pick<PlatformPath, 'sep'> = nodePath,
  platform: string = process.platform,
): PathFlavour {
  // Of its own paths a Mac compares all so, wherever they are.
  const toKey = (path: string) => (platform === 'darwin' ? foldPath(path, 'macos') : foldPath(path))
  return {
    toSlashes: (path) => (sep === '\\' ? path.replaceAll('\\', '/') : path),
    isWithin: (path, folder) => `${toKey(path)}/`.startsWith(`${toKey(folder)}/`),
  }
}
