import { wildcardPattern } from './wildcard-pattern.ts'

/**
 * A whole path, its end (`src/a.ts`, `a.ts`), or a glob over either: `*` and `?` within a name, `**` for any
 * number of folders. Case does not matter, and `\` is `/`. Takes time in proportion to path and pattern.
 */
export function pathPattern(pattern: string): (path: string) => boolean {
  const wanted = pattern.replaceAll('\\', '/').toLowerCase()
  const isWhole = wanted.startsWith('/')
  const names = wanted.split('/').filter(isName)
  const parts: Part[] = [...(isWhole ? [] : [ANY_FOLDERS]), ...names.map(toPart)]
  const [, only] = parts.length === 2 && !isWhole ? parts : []
  // Most queries ask for the end of a path or for one name: then no path has to be cut into its names.
  if (only !== undefined && only !== ANY_FOLDERS) return (path) => isLastName(path, only)
  const literal = longestLiteral(names)
  return (path) => {
    const lower = path.toLowerCase()
    return names.length > 0 && lower.includes(literal) && matches(parts, lower.split('/').filter(isName))
  }
}

function isLastName(path: string, isWanted: (name: string) => boolean): boolean {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return end > 0 && isWanted(path.slice(path.lastIndexOf('/', end - 1) + 1, end))
}

/** What stands in every path that matches. */
function longestLiteral(names: string[]): string {
  const literals = names.flatMap((name) => name.split(/[*?]+/))
  return literals.reduce((longest, literal) => (literal.length > longest.length ? literal : longest), '')
}

const isName = (name: string) => name !== ''

type Part = ((name: string) => boolean) | typeof ANY_FOLDERS
const ANY_FOLDERS: '**' = '**'

function toPart(name: string): Part {
  return name === '**' ? ANY_FOLDERS : wildcardPattern(name)
}

/** After a mismatch only the last `**` has to take one folder more. */
function matches(parts: Part[], names: string[]): boolean {
  let part = 0
  let name = 0
  let anyPart = -1
  let anyName = 0
  while (name < names.length) {
    const wanted = parts[part]
    if (wanted === ANY_FOLDERS) {
      anyPart = part++
      anyName = name
    } else if (wanted?.(names[name] ?? '')) {
      part++
      name++
    } else if (anyPart >= 0) {
      part = anyPart + 1
      name = ++anyName
    } else return false
  }
  return parts.slice(part).every((rest) => rest === ANY_FOLDERS)
}
