import { CONVERSATION_FOLDER } from '@gemini-dash/antigravity-sessions/scan'
import type { ProjectList } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import { foldTextOnly, wildcardPattern } from '@gemini-dash/session-index'
import {
  addCost,
  addUsage,
  isSamePath,
  NO_COST,
  NO_USAGE,
  type Project,
  readSessionPath,
  type SessionSummary,
} from 'gemini-sessions'
import type { ProjectIdentity, ProjectPlace, Scan } from 'gemini-sessions/node'

/**
 * Keys of the projects that `project=` or `project:` refers to: by key, path, name, or a part of one of these; `*` is a wildcard. The most
 * exact kind of match wins; all projects with the same name match. If nothing matches, commas separate several names.
 */
export function findProjects(projects: Project[], wanted: string): ReadonlySet<string> {
  const whole = meantBy(projects, wanted)
  if (whole.size > 0 || !wanted.includes(',')) return whole
  const names = wanted.split(',').map((name) => name.trim())
  return new Set(names.flatMap((name) => (name === '' ? [] : [...meantBy(projects, name)])))
}

function meantBy(projects: Project[], wanted: string): ReadonlySet<string> {
  const text = foldTextOnly(wanted.replace(/[\\/]+$/, ''))
  const fits = /[*?]/.test(text) ? wildcardPattern(text) : null
  const kinds: ((project: Project) => boolean)[] = [
    (project) => project.key === wanted,
    (project) => project.path !== null && isSamePath(project.path, wanted),
    (project) => project.path !== null && foldTextOnly(project.path) === text,
    (project) => foldTextOnly(project.name) === text,
    (project) => project.path !== null && foldTextOnly(lastName(project.path)) === text,
    (project) =>
      project.folders.some((folder) => foldTextOnly(folder) === text || lastName(folder) === wanted),
    (project) =>
      fits !== null && [project.name, project.path ?? ''].some((called) => fits(foldTextOnly(called))),
    (project) => foldTextOnly(project.name).includes(text),
    (project) => project.path !== null && foldTextOnly(project.path).includes(text),
    (project) => isSubsequence(text, foldTextOnly(project.name)),
  ]
  for (const isMeant of kinds) {
    const found = projects.filter(isMeant)
    if (found.length > 0) return new Set(found.map(({ key }) => key))
  }
  return new Set()
}

function lastName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

function isSubsequence(text: string, name: string): boolean {
  let position = 0
  for (const character of text) {
    position = name.indexOf(character, position) + 1
    if (position === 0) return false
  }
  return text !== ''
}

/** All folders of one project, in every home. */
export function placesOfProject(
  { projects: places }: Scan,
  projects: readonly ProjectIdentity[],
  projectKey: string,
): ProjectPlace[] {
  const folders = new Set(projects.find(({ key }) => key === projectKey)?.folders)
  return places.filter(({ folder }) => folders.has(folder))
}

/** Where the files beside a session may be: the folders of its project, and those it was moved from. */
export function placesOfSession(
  scan: Scan,
  projects: readonly ProjectIdentity[],
  session: SessionSummary | null,
): ProjectPlace[] {
  if (session === null) return []
  const { project, files } = session
  const places = placesOfProject(scan, projects, project.key)
  const own = new Set(files.map(({ home, path }) => `${home}\n${readSessionPath(path).projectFolder}`))
  const others = scan.projects.filter((place) => own.has(`${place.home}\n${place.name}`))
  return [...new Set([...places, ...others]), ...placesOfArtifacts(scan, session)]
}

/** For a conversation of Antigravity CLI: where the agent wrote plans and other texts for the user. */
function placesOfArtifacts(
  { conversations = [] }: Scan,
  { source, sessionId }: SessionSummary,
): ProjectPlace[] {
  if (source !== 'antigravity-cli') return []
  const own = conversations.filter(({ id }) => id === sessionId)
  return own.map(({ home, files }) => {
    const gone = files.find(({ kept }) => kept !== undefined)
    const root = gone?.absolutePath.slice(0, -gone.path.length - 1)
    return {
      ...{
        home,
        folder: `${home}/${CONVERSATION_FOLDER}`,
        name: CONVERSATION_FOLDER,
        artifacts: `brain/${sessionId}`,
      },
      ...{ marker: null, logs: null, checkpoints: [] },
      ...(root !== undefined && { keptFolder: `${root}/${CONVERSATION_FOLDER}` }),
    }
  })
}

interface Summed {
  sessions: readonly SessionSummary[]
  sums: ReturnType<typeof sumUp>
}

/** Projects with their totals. A project's sums are cached until one of its sessions changes. */
export class ProjectSums {
  #known = new Map<string, Summed>()

  /** Latest activity first, projects without a recorded time last. Saved chats have no usage of their own. */
  list(
    identities: readonly ProjectIdentity[],
    sessions: readonly SessionSummary[],
    isPathGone: (path: string | null) => boolean | null,
  ): ProjectList {
    const byProject = groupBy(sessions, ({ project }) => project.key)
    const known = new Map<string, Summed>()
    for (const [key, own] of byProject) {
      const before = this.#known.get(key)
      known.set(
        key,
        before !== undefined && areSame(before.sessions, own) ? before : { sessions: own, sums: sumUp(own) },
      )
    }
    this.#known = known
    const projects = identities
      .filter(({ key, pathSource }) => byProject.has(key) || pathSource !== 'none')
      .map((identity) =>
        toProject(
          identity,
          known.get(identity.key) ?? { sessions: [], sums: sumUp([]) },
          isPathGone(identity.path),
        ),
      )
      .sort((a, b) => compareNewest(a.lastActivity ?? '', b.lastActivity ?? '') || (a.name < b.name ? -1 : 1))
    return { projects, total: projects.length }
  }
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}

function toProject(
  { key, name, nameSource, path, pathSource, candidates, folders }: ProjectIdentity,
  { sessions: own, sums }: Summed,
  isPathGone: boolean | null,
): Project {
  return {
    ...{ key, name, nameSource },
    about: nameSource === 'hash' ? aboutOf(own) : null,
    ...{ path, pathSource, candidates, isPathGone, folders },
    ...sums,
  }
}

function sumUp(sessions: readonly SessionSummary[]) {
  const counted = sessions.filter(({ kind }) => kind === 'main' || kind === 'subagent')
  const isRead = counted.every(({ indexed }) => indexed === 'full')
  const times = sessions.flatMap(({ endTime, startTime }) => endTime ?? startTime ?? [])
  return {
    sessions: counted.filter(({ kind }) => kind === 'main').length,
    emptySessions: counted.filter(({ empty }) => empty).length,
    usage: isRead ? counted.reduce((sum, { usage }) => addUsage(sum, usage ?? NO_USAGE), NO_USAGE) : null,
    cost: isRead ? counted.reduce((sum, { cost }) => addCost(sum, cost ?? NO_COST), NO_COST) : null,
    lastActivity: times.sort().at(-1) ?? null,
  }
}

function aboutOf(sessions: readonly SessionSummary[]): string | null {
  const counted = sessions.filter(
    ({ title, firstPrompt }) => (title || firstPrompt) !== null && (title || firstPrompt) !== '',
  )
  const own = counted.filter(({ kind }) => kind === 'main')
  const [newest] = (own.length > 0 ? own : counted).toSorted((a, b) => compareNewest(timeOf(a), timeOf(b)))
  return newest === undefined ? null : newest.title || newest.firstPrompt
}

function timeOf({ endTime, startTime }: SessionSummary): string {
  return endTime ?? startTime ?? ''
}

function compareNewest(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0
}
