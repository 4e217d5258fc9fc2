import { groupFiles, projectOfGroup } from '../../derive/files/group-files.ts'
import type { GroupClaims } from '../../derive/identity/assign-keys.ts'
import { type KeyRecord, NO_KEY_RECORD, planKeys } from '../../derive/identity/plan-keys.ts'
import type { ProjectIdentity } from '../../derive/projects/identify-projects.ts'
import { readFileNameTime } from '../../parse/session-file/read-file-name-time.ts'
import type { GeminiHome } from '../scan/find-homes.ts'
import type { DiscoveredFile, Scan } from '../scan/scan.ts'
import { scanHomes } from '../scan/scan-homes.ts'
import { toPlannedFile } from './planned-file.ts'
import { type FileHead, readHeads } from './read-heads.ts'
import { type ProjectHint, resolveProjects } from './resolve-projects.ts'
import { searchPathClues } from './search-path-clues.ts'

/** What lies in some homes, by names, stat and the first 4 KB of each file: no session is read for it. */
export interface HomeSurvey {
  scan: Scan
  projects: ProjectIdentity[]
  /** The session files, put together where they can belong together; the group with the newest file comes first, by when files were begun. */
  groups: SurveyedGroup[]
}

/** Files of one project and one sessionId, as `readSessionGroup` takes them. */
export interface SurveyedGroup {
  /** `ProjectIdentity.key`. */
  projectKey: string
  files: DiscoveredFile[]
  /** What the files of other groups say about their keys. */
  claims?: GroupClaims | undefined
}

/**
 * Finds projects and session files (see `findHomes`); a home that does not exist holds none. Writes nothing, never rejects.
 * `record`: keys that files already have.
 */
export async function surveyHomes(
  homes: readonly GeminiHome[],
  record: KeyRecord = NO_KEY_RECORD,
): Promise<HomeSurvey> {
  const scan = await scanHomes(homes)
  const heads = await readHeads(scan.files)
  const projects = await nameProjects(homes, scan, heads)
  const keyByFolder = new Map(projects.flatMap(({ key, folders }) => folders.map((folder) => [folder, key])))
  const files = scan.files.map((file) => ({
    file,
    path: file.path,
    projectKey: keyByFolder.get(file.projectFolder) ?? '',
    sessionId: heads.get(file)?.sessionId ?? null,
    projectHash: heads.get(file)?.projectHash,
    movedFrom: heads.get(file)?.movedFrom,
    isKept: file.kept !== undefined,
    start: startOf(file, heads.get(file)),
  }))
  const grouped = [...groupFiles(files)]
  const hashes = new Map(projects.map(({ key, projectHash }) => [key, projectHash]))
  const planned = grouped.flatMap(([groupId, members]) =>
    members.map(({ file, projectKey }) =>
      toPlannedFile(file, heads.get(file), { groupId, projectHash: hashes.get(projectKey) ?? null }),
    ),
  )
  const claims = planKeys(planned, record)
  const groups = grouped.map(([key, members]) => ({
    projectKey: projectOfGroup(key),
    files: members.map(({ file }) => file),
    claims: claims.get(key),
    start:
      members
        .map(({ start }) => start)
        .sort()
        .at(-1) ?? '',
  }))
  groups.sort((a, b) => b.start.localeCompare(a.start))
  return {
    scan,
    projects,
    groups: groups.map(({ projectKey, files, claims }) => ({ projectKey, files, claims })),
  }
}

/** Folders that no marker and no registry explains (hash folders up to 0.28) get a second look, at the content of their files. */
async function nameProjects(
  homes: readonly GeminiHome[],
  scan: Scan,
  heads: ReadonlyMap<DiscoveredFile, FileHead>,
): Promise<ProjectIdentity[]> {
  const hints = [...heads].map(
    ([file, head]): ProjectHint => ({ ...head, projectFolder: file.projectFolder }),
  )
  const projects = resolveProjects(homes, scan.projects, hints)
  const found: ProjectHint[] = []
  for (const { path, projectHash, folders } of projects) {
    const [projectFolder] = folders
    if (path !== null || projectFolder === undefined) continue
    const files = scan.files.filter((file) => folders.includes(file.projectFolder))
    const places = scan.projects.filter(({ folder }) => folders.includes(folder))
    const clues = await searchPathClues(projectHash, files, places)
    if (clues.length > 0) found.push({ projectFolder, projectHash: null, directories: [], clues })
  }
  return found.length === 0 ? projects : resolveProjects(homes, scan.projects, [...hints, ...found])
}

/** ISO 8601 UTC: as recorded, else from the file's name; empty, which comes last, where neither tells. */
function startOf({ path }: DiscoveredFile, head: FileHead | undefined): string {
  return head?.startTime ?? readFileNameTime(path) ?? ''
}
