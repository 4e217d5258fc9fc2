import nodePath, { type PlatformPath } from 'node:path'

/**
 * How a system writes and compares paths. Inside the program `/` separates on every system; what the system tells in its own
 * way goes through here first.
 */
export interface PathFlavour {
  /** With `/`; where a backslash is a letter of a name, it stays one. */
  toSlashes(path: string): string
  /** The same text for all spellings of one place: Windows and macOS take letters of either case for the same. */
  toKey(path: string): string
  /** Is it that folder, or inside of it? */
  isWithin(path: string, folder: string): boolean
}

export function pathFlavour(
  { sep }: Pick<PlatformPath, 'sep'> = nodePath,
  platform: string = process.platform,
): PathFlavour {
  const ignoresCase = platform === 'win32' || platform === 'darwin'
  const toSlashes = (path: string) => (sep === '\\' ? path.replaceAll('\\', '/') : path)
  const toKey = (path: string) => {
    const slashed = toSlashes(path).replace(/(?<=.)\/+$/, '')
    return ignoresCase ? slashed.normalize('NFC').toLowerCase() : slashed
  }
  return {
    toSlashes,
    toKey,
    isWithin: (path, folder) => `${toKey(path)}/`.startsWith(`${toKey(folder)}/`),
  }
}
