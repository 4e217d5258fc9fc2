/**
 * How homes are called where there are several, by path: as the user calls them, else the end of each path, as long as it
 * has to be to be its own.
 */
export function homeLabels(
  paths: readonly string[],
  given: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const parts = new Map([...new Set(paths)].map((path) => [path, namingParts(path)]))
  return new Map([...parts].map(([path, own]) => [path, given.get(path) ?? shortestOwn(own, path, parts)]))
}

/** `.gemini` says nothing: the folder that it lies in does. */
function namingParts(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length > 1 && parts.at(-1) === '.gemini' ? parts.slice(0, -1) : parts
}

/** Where the end of one path is the whole of another, the rest of its path has to tell them apart. */
function shortestOwn(
  own: readonly string[],
  path: string,
  all: ReadonlyMap<string, readonly string[]>,
): string {
  for (let count = 1; count <= own.length; count++) {
    const label = own.slice(-count).join('/')
    const isShared = [...all].some(
      ([other, parts]) => other !== path && parts.slice(-count).join('/') === label,
    )
    if (!isShared) return label
  }
  return path
}

/** The path of the home that is called so, or that this is the path of; the folder above `.gemini` is enough. */
export function findHome(
  wanted: string,
  paths: readonly string[],
  given: ReadonlyMap<string, string> = new Map(),
): string {
  const called = [...homeLabels(paths, given)].find(([, label]) => label === wanted)?.[0]
  return called ?? paths.find((path) => path === `${wanted}/.gemini`) ?? wanted
}
