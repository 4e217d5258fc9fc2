import { readSessionPath } from './read-session-path.ts'

/** A file with what tells that its session was moved to another project. */
export interface MovableFile {
  /** Path relative to its home. */
  path: string
  /** Of the project whose folder it lies in. */
  projectKey: string
  /** From the head of the file; null if it could not be read. */
  sessionId: string | null
  projectHash?: string | null | undefined
  movedFrom?: readonly string[] | undefined
  /** It is in no home any more, only a copy of it was kept. */
  isKept?: boolean | undefined
}

/**
 * Where the sessions belong that `gemini-dash move` copied to another project: the copy names the projects that it comes from, and
 * all of its id there goes with it, sub-agents too, to where it was moved last. A copy that is gone leaves its origin where that is.
 * By the project of the folder and the run (`runOf`); empty where nothing was moved.
 */
export function movedRuns(files: readonly MovableFile[]): ReadonlyMap<string, string> {
  const moved = new Set(files.flatMap((file) => (isCopy(file) ? [idOf(file)] : [])))
  const runs = new Map<string, string>()
  if (moved.size === 0) return runs
  const filesById = new Map<string, MovableFile[]>()
  for (const file of files) {
    const id = idOf(file)
    if (!moved.has(id) || readSessionPath(file.path).parentId !== null) continue
    filesById.set(id, [...(filesById.get(id) ?? []), file])
  }
  for (const own of filesById.values()) {
    const [last] = own.filter(isCopy).sort(latestMoveFirst)
    if (last === undefined) continue
    const hashes = new Set([...(last.movedFrom ?? []), last.projectHash])
    const joined = own.filter(({ projectHash }) => projectHash != null && hashes.has(projectHash))
    const home = last.isKept ? (latestOrigin(last, joined) ?? last) : last
    for (const file of joined) if (file.projectKey !== home.projectKey) runs.set(runOf(file), home.projectKey)
  }
  return runs
}

/** Project and run: files of one run are a session and its sub-agents, which lie in a folder named after it. */
export function runOf(file: MovableFile): string {
  return `${file.projectKey}\n${idOf(file)}`
}

function isCopy({ movedFrom = [] }: MovableFile): boolean {
  return movedFrom.length > 0
}

/** As the CLI names folders after it. */
function idOf({ path, sessionId }: MovableFile): string {
  return (readSessionPath(path).parentId ?? sessionId ?? '').replace(/[^A-Za-z0-9_-]/g, '_')
}

/** Each move adds a project to the list. */
function latestMoveFirst(a: MovableFile, b: MovableFile): number {
  const isGone = (file: MovableFile) => (file.isKept === true ? 1 : 0)
  const moves = ({ movedFrom = [] }: MovableFile) => movedFrom.length
  return isGone(a) - isGone(b) || moves(b) - moves(a) || (a.projectKey < b.projectKey ? -1 : 1)
}

/** Of the files that are there the one in the project that it was moved from last. */
function latestOrigin(
  { movedFrom = [] }: MovableFile,
  joined: readonly MovableFile[],
): MovableFile | undefined {
  const place = ({ projectHash }: MovableFile) => movedFrom.lastIndexOf(projectHash ?? '')
  const [latest] = joined.filter(({ isKept }) => isKept !== true).sort((a, b) => place(b) - place(a))
  return latest
}
