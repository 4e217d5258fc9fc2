import {
  groupFiles,
  linkSubagents,
  type PriceCall,
  type Session,
  type SessionSummary,
  summarizeSession,
} from '../src/index.ts'
import {
  findHomes,
  type ProjectIdentity,
  readHeads,
  readPromptLogs,
  readSavedChats,
  readSessionGroup,
  resolveProjects,
  type Scan,
  scanHomes,
} from '../src/node/index.ts'

export interface ReadHome {
  scan: Scan
  projects: ProjectIdentity[]
  sessions: Session[]
  summaries: SessionSummary[]
}

/** Everything in these homes, by the same steps as the program: scan, heads, groups, sessions, rows. */
export async function readHome(...folders: string[]): Promise<ReadHome> {
  const homes = findHomes({ homeArguments: folders, env: {}, userHome: '/nobody' })
  const scan = await scanHomes(homes)
  const heads = await readHeads(scan.files)
  const hints = [...heads].map(([file, head]) => ({ ...head, projectFolder: file.projectFolder }))
  const projects = resolveProjects(homes, scan.projects, hints)
  const projectOf = new Map(projects.flatMap((project) => project.folders.map((folder) => [folder, project])))
  const grouped = scan.files.map((file) => ({
    ...file,
    projectKey: projectOf.get(file.projectFolder)?.key ?? '',
    sessionId: heads.get(file)?.sessionId ?? null,
  }))
  const sessions: Session[] = []
  const projectOfSession = new Map<Session, ProjectIdentity>()
  const add = (project: ProjectIdentity | undefined, found: readonly Session[]) => {
    sessions.push(...found)
    if (project) for (const session of found) projectOfSession.set(session, project)
  }
  for (const group of groupFiles(grouped).values()) {
    add(projectOf.get(group[0]?.projectFolder ?? ''), await readSessionGroup(group))
  }
  for (const project of projects) {
    const places = scan.projects.filter((place) => projectOf.get(place.folder) === project)
    const knownIds = new Set(sessions.map((session) => session.sessionId))
    add(project, readPromptLogs(places, knownIds))
    add(project, readSavedChats(places, project.key))
  }
  const links = sessions.map((session) => {
    const { key, name, path } = projectOfSession.get(session) ?? { key: '', name: '', path: null }
    const summary = summarizeSession(session, { project: { key, name, path }, priceCall })
    return { summary, parentSessionId: session.parentSessionId }
  })
  return { scan, projects, sessions, summaries: linkSubagents(links) }
}

/** One dollar a token: sums are easy to check. */
const priceCall: PriceCall = ({ usage }) => usage.total
