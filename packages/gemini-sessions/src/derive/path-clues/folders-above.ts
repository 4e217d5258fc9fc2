import { isWindowsPath } from './path-spellings.ts'

/** The folders above a path, the nearest first, the root of the file system left out. */
export function foldersAbove(path: string): string[] {
  const isWindows = isWindowsPath(path)
  const folders: string[] = []
  for (let end = path.length - 1; end > 0; end--) {
    const isSeparator = path[end] === '/' || (isWindows && path[end] === '\\')
    if (isSeparator && path[end - 1] !== ':') folders.push(path.slice(0, end))
  }
  return folders
}
