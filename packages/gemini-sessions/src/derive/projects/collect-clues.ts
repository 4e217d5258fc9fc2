import type { PathClue } from '../path-clues/path-clue.ts'
import { isSamePath } from '../path-clues/path-spellings.ts'
import type { FolderGroup } from './group-folders.ts'

/** Roots that are known from elsewhere, in every spelling, by their SHA-256. */
export interface KnownPaths {
  roots: ReadonlyMap<string, string>
  trusted: ReadonlyMap<string, string>
}

/** All that names a root for these folders. */
export function collectClues(group: FolderGroup, known: KnownPaths): PathClue[] {
  const told = group.members.flatMap(({ marker, registryPath }): PathClue[] => [
    ...(marker === null ? [] : [{ path: marker, evidence: 'marker' as const }]),
    ...(registryPath === null ? [] : [{ path: registryPath, evidence: 'registry' as const }]),
  ])
  const named = group.members.flatMap(({ directories, clues = [] }): PathClue[] => [
    ...directories.map((path) => ({ path, evidence: 'directories' as const })),
    ...clues,
  ])
  const matched = [...new Set([group.projectHash ?? '', ...group.hashes])].flatMap((hash): PathClue[] => {
    const root = known.roots.get(hash)
    const trusted = known.trusted.get(hash)
    const isTold = told.some(({ path }) => root !== undefined && isSamePath(path, root))
    return [
      ...(root === undefined || isTold ? [] : [{ path: root, evidence: 'hash' as const }]),
      ...(trusted === undefined ? [] : [{ path: trusted, evidence: 'trusted-folder' as const }]),
    ]
  })
  return [...told, ...matched, ...named]
}
