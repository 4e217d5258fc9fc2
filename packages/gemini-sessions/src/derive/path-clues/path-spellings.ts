const WINDOWS_PATH = /^(?:[A-Za-z]:[\\/]|\\\\)/

export function isWindowsPath(path: string): boolean {
  return WINDOWS_PATH.test(path)
}

/** Two spellings of one folder: on Windows neither case nor the separator matters. */
export function isSamePath(a: string, b: string): boolean {
  return a === b || (isWindowsPath(a) && foldWindowsPath(a) === foldWindowsPath(b))
}

/**
 * Ways in which a path may have been spelled when the CLI hashed it, the given one first. Elsewhere than on Windows that
 * is one; there markers and registry are lower-cased, and the drive and the separator come as the shell had them.
 */
export function pathSpellings(path: string): string[] {
  if (!isWindowsPath(path)) return [path]
  const withDrives = /^[A-Za-z]:/.test(path)
    ? [path, path.charAt(0).toUpperCase() + path.slice(1), path.charAt(0).toLowerCase() + path.slice(1)]
    : [path]
  // The one folder whose case is the same on every Windows.
  const withUsers = withDrives.flatMap((each) => [each, each.replace(/^(.:[\\/])users(?=[\\/])/, '$1Users')])
  return [
    ...new Set(withUsers.flatMap((each) => [each, each.replaceAll('/', '\\'), each.replaceAll('\\', '/')])),
  ]
}

/** What all spellings of a Windows path have in common. */
export function foldWindowsPath(path: string): string {
  return path.replaceAll('/', '\\').toLowerCase()
}
