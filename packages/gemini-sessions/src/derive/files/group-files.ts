import { type MovableFile, movedRuns, runOf } from './moved-runs.ts'
import { readSessionPath } from './read-session-path.ts'

/** What must be known of a file to say with which others it may form a session. */
export type GroupedFile = MovableFile

/**
 * Files that can belong together: one project, one sessionId. Which of them do is for `stitchGroup` to say.
 * Files without a readable id stand alone, with their copies of the same name in other folders of the project. A file
 * that the CLI put aside because it could not read it (0.55.1+) goes with the one that was written in its place.
 * Files of a session that was moved to another project are of that one.
 */
export function groupFiles<T extends GroupedFile>(files: Iterable<T>): Map<string, T[]> {
  const all = [...files]
  const moved = movedRuns(all)
  const groupKey = (file: GroupedFile) => keyOf(file, moved.get(runOf(file)) ?? file.projectKey)
  const keyByName = new Map(
    all.flatMap((file) => (file.sessionId === null ? [] : [[nameKey(file), groupKey(file)] as const])),
  )
  const groups = new Map<string, T[]>()
  for (const file of all) {
    const isPutAside = file.sessionId === null && readSessionPath(file.path).isBackup
    const key = (isPutAside ? keyByName.get(nameKey(file)) : undefined) ?? groupKey(file)
    const group = groups.get(key)
    if (group) group.push(file)
    else groups.set(key, [file])
  }
  return groups
}

/** Equal for files that can belong together. */
function keyOf(file: GroupedFile, projectKey: string): string {
  return file.sessionId === null ? nameKey(file) : `${projectKey}\nid\n${file.sessionId}`
}

function nameKey({ path, projectKey }: GroupedFile): string {
  const { parentId, stem } = readSessionPath(path)
  return `${projectKey}\nname\n${parentId ?? ''}/${stem}`
}

/** The sessionId that the files of a group share; null for files without a readable one. */
export function sessionIdOfGroup(key: string): string | null {
  return /\nid\n([\s\S]*)$/.exec(key)?.[1] ?? null
}

/** Of the project that a group belongs to. */
export function projectOfGroup(key: string): string {
  return key.split('\n', 1)[0] ?? ''
}
