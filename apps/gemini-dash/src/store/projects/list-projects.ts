import type { ProjectList } from '@gemini-dash/api'
import { addCost, addUsage, NO_COST, NO_USAGE, type Project, type SessionSummary } from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'

/** All projects with their totals, the one with the latest activity first, those without a recorded time last. Saved chats spend nothing of their own. */
export function listProjects(
  identities: readonly ProjectIdentity[],
  sessions: SessionSummary[],
  isPathGone: (path: string | null) => boolean | null,
): ProjectList {
  const byProject = new Map<string, SessionSummary[]>()
  for (const session of sessions) {
    const own = byProject.get(session.project.key)
    if (own === undefined) byProject.set(session.project.key, [session])
    else own.push(session)
  }
  const projects = identities
    .filter(({ key, pathSource }) => byProject.has(key) || pathSource !== 'none')
    .map((identity) => toProject(identity, byProject.get(identity.key) ?? [], isPathGone(identity.path)))
    .sort((a, b) => compareNewest(a.lastActivity ?? '', b.lastActivity ?? '') || (a.name < b.name ? -1 : 1))
  return { projects, total: projects.length }
}

function toProject(
  { key, name, nameSource, path, pathSource, candidates, folders }: ProjectIdentity,
  sessions: SessionSummary[],
  isPathGone: boolean | null,
): Project {
  const counted = sessions.filter(({ kind }) => kind === 'main' || kind === 'subagent')
  const isRead = counted.every(({ indexed }) => indexed === 'full')
  const times = sessions.flatMap(({ endTime, startTime }) => endTime ?? startTime ?? [])
  return {
    key,
    name,
    nameSource,
    about: nameSource === 'hash' ? aboutOf(sessions) : null,
    path,
    pathSource,
    candidates,
    isPathGone,
    folders,
    sessions: counted.filter(({ kind }) => kind === 'main').length,
    emptySessions: counted.filter(({ empty }) => empty).length,
    usage: isRead ? counted.reduce((sum, { usage }) => addUsage(sum, usage ?? NO_USAGE), NO_USAGE) : null,
    cost: isRead ? counted.reduce((sum, { cost }) => addCost(sum, cost ?? NO_COST), NO_COST) : null,
    lastActivity: times.sort().at(-1) ?? null,
  }
}

/** What was asked for last, of what somebody asked for himself if there is any of that. */
function aboutOf(sessions: readonly SessionSummary[]): string | null {
  const told = sessions.filter(
    ({ title, firstPrompt }) => (title || firstPrompt) !== null && (title || firstPrompt) !== '',
  )
  const own = told.filter(({ kind }) => kind === 'main')
  const [newest] = (own.length > 0 ? own : told).toSorted((a, b) => compareNewest(timeOf(a), timeOf(b)))
  return newest === undefined ? null : newest.title || newest.firstPrompt
}

function timeOf({ endTime, startTime }: SessionSummary): string {
  return endTime ?? startTime ?? ''
}

function compareNewest(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0
}
