import type { UnreadFile } from 'gemini-sessions'
import type { DiscoveredFile, GeminiHome, Scan } from 'gemini-sessions/node'

export interface KeptScan {
  scan: Scan
  /** Places that could not be looked into, and the files of the look before that are taken to be there still. Absolute paths. */
  places: UnreadFile[]
  files: UnreadFile[]
}

/**
 * What lies in a folder that the system refuses to list, or in a home whose folder of projects has gone as a whole (a
 * disk that is not mounted), is not deleted: it is taken to be as it was when it was seen last.
 */
export function keepUnlisted(before: Scan, now: Scan, homes: readonly GeminiHome[]): KeptScan {
  const refused = now.skipped.flatMap(({ path, errno }) =>
    errno === undefined ? [] : [{ path, code: errno }],
  )
  const places = [...refused, ...goneHomes(before, now, homes)]
  if (places.length === 0) return { scan: now, places, files: [] }
  const placeOf = (path: string) =>
    places.find((place) => path === place.path || path.startsWith(`${place.path}/`))
  const found = new Set(now.files.map(({ absolutePath }) => absolutePath))
  const kept = before.files.filter(
    ({ absolutePath }) => !found.has(absolutePath) && placeOf(absolutePath) !== undefined,
  )
  const codeOf = ({ absolutePath: path }: DiscoveredFile) => ({ path, code: placeOf(path)?.code ?? '' })
  const files = inOrder([...now.files, ...kept], before.files, ({ absolutePath }) => absolutePath)
  const projects = withKeptProjects(before, now, (path) => placeOf(path) !== undefined)
  return { scan: { ...now, files, projects }, places, files: kept.map(codeOf) }
}

/** Those of them in which none of the files lies. */
export function placesWithout(files: readonly UnreadFile[], places: readonly UnreadFile[]): UnreadFile[] {
  return places.filter(
    ({ path }) => !files.some((file) => file.path === path || file.path.startsWith(`${path}/`)),
  )
}

/** Homes in which there were projects, and where not even the folder of projects is left. */
function goneHomes(before: Scan, now: Scan, homes: readonly GeminiHome[]): UnreadFile[] {
  return homes
    .filter(({ path }) => {
      const isOfHome = ({ home }: { home: string }) => home === path
      return before.projects.some(isOfHome) && !now.projects.some(isOfHome)
    })
    .filter(({ tmpPath }) => now.missing?.includes(tmpPath))
    .map(({ tmpPath }) => ({ path: tmpPath, code: 'ENOENT' }))
}

function withKeptProjects(before: Scan, now: Scan, isKept: (path: string) => boolean): Scan['projects'] {
  const known = new Map(before.projects.map((place) => [place.folder, place]))
  const found = new Set(now.projects.map(({ folder }) => folder))
  const projects = now.projects.map((place) => {
    const earlier = known.get(place.folder)
    if (earlier === undefined) return place
    const isUnknown = (name: string) => isKept(`${place.folder}/${name}`)
    const names = new Set(place.checkpoints.map(({ absolutePath }) => absolutePath))
    const checkpoints = earlier.checkpoints.filter(
      ({ absolutePath }) => !names.has(absolutePath) && isKept(absolutePath),
    )
    return {
      ...place,
      marker: place.marker ?? (isUnknown('.project_root') ? earlier.marker : null),
      logs: place.logs ?? (isUnknown('logs.json') ? earlier.logs : null),
      checkpoints: [...place.checkpoints, ...checkpoints],
    }
  })
  const kept = before.projects.filter(({ folder }) => !found.has(folder) && isKept(folder))
  return inOrder([...projects, ...kept], before.projects, ({ folder }) => folder)
}

/** What was there before comes in the order of before, so that nothing seems to have changed. */
function inOrder<Item>(
  items: readonly Item[],
  before: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const places = new Map(before.map((item, place) => [nameOf(item), place]))
  const placeOf = (item: Item) => places.get(nameOf(item)) ?? Number.POSITIVE_INFINITY
  return items
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ item }) => item)
}
