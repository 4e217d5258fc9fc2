import { foldPath } from '../path-clues/path-spellings.ts'

/**
 * A path as a tool was given it, as the one name of its file: absolute where the root is known, `/` on every system,
 * without quotes, `.` and `..`. `~` is the home folder that the root lies in.
 */
export function resolveTouchedPath(written: string, root: string | null): string {
  const slashed = withoutDress(written).replaceAll('\\', '/')
  const base = root?.replaceAll('\\', '/') ?? null
  const home = base === null ? null : (HOME_FOLDER.exec(base)?.[0] ?? null)
  const atHome = home !== null && /^~(?:\/|$)/.test(slashed) ? home + slashed.slice(1) : slashed
  const isPlaced = isAbsolute(atHome) || atHome.startsWith('~')
  return tidy(base === null || isPlaced ? atHome : `${base}/${atHome}`)
}

/** The name of a file as seen from the root: relative where it lies in it, `.` for the root itself. */
export function touchedPathName(path: string, root: string | null): string {
  if (root === null) return path
  const base = resolveTouchedPath(root, null)
  const [key, baseKey] = [foldPath(path), foldPath(base)]
  if (key === baseKey) return '.'
  if (!key.startsWith(`${baseKey.replace(/\/$/, '')}/`)) return path
  // By names, not by length: on macOS one of the two may write its accents with more characters.
  return path.split('/').slice(base.replace(/\/$/, '').split('/').length).join('/')
}

const WINDOWS = /^(?:[A-Za-z]:\/|\/\/)/
const HOME_FOLDER = /^(?:[A-Za-z]:)?\/(?:home|Users|users)\/[^/]+|^\/root(?=\/|$)/

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || WINDOWS.test(path)
}

/** Models put paths into quotes, and write `@path` as a person would. */
function withoutDress(written: string): string {
  const trimmed = written.trim()
  const bare = /^(["'`])(.*)\1$/s.exec(trimmed)?.[2] ?? trimmed
  return bare.replace(/^file:\/\/(?=\/)/, '').replace(/^@(?=[\w./~\\])/, '')
}

function tidy(path: string): string {
  const lead = /^(?:[A-Za-z]:\/?|\/\/?|)/.exec(path)?.[0] ?? ''
  const names: string[] = []
  for (const name of path.slice(lead.length).split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name !== '..' || lead === '') names.push(name)
  }
  return (
    `${lead.charAt(1) === ':' ? lead.charAt(0).toUpperCase() + lead.slice(1) : lead}${names.join('/')}` || '.'
  )
}
