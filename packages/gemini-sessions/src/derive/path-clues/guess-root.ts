import { foldersAbove } from './folders-above.ts'

/** A stray look at a file elsewhere must not move the guess up to the folder above both. */
const WANTED_SHARE = 0.6

/** Folders that hold projects, and are none. */
const TOO_HIGH =
  /^(?:\/|\/(?:home|Users|root|tmp|var|usr|etc|opt|mnt|srv|workspace|private)|\/(?:home|Users)\/[^/]+|\/private\/tmp|[A-Za-z]:[\\/]Users(?:[\\/][^\\/]+)?)$/i

/** The innermost folder that holds most of these files: where the work was done, if not proven to be the project's root. */
export function guessRoot(paths: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const path of paths) {
    for (const folder of foldersAbove(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const roots = [...counts].filter(
    ([folder, count]) => count >= paths.length * WANTED_SHARE && !TOO_HIGH.test(folder),
  )
  const [innermost] = roots.sort(([a], [b]) => b.length - a.length)
  return innermost?.[0] ?? null
}
