import type { ProjectList } from '../lists/projects.ts'
import { exchanged, type Placed, type RowChange } from './row-change.ts'

/** The projects as they would be answered after a change; the same where it is in them already. null: to be asked for again. */
export function patchProjects(
  list: Placed<ProjectList>,
  { at, row, before }: RowChange,
): Placed<ProjectList> | null {
  if (list.at === undefined) return null
  if (list.at >= at) return list
  const project = list.projects.find(({ key }) => key === row.project.key)
  const isCounted = row.kind === 'main' || row.kind === 'subagent'
  const isRead = before.indexed === 'full' && row.indexed === 'full'
  if (project?.usage == null || project.cost === null || !isRead || before.project.key !== row.project.key)
    return null
  if (before.kind !== row.kind || before.empty !== row.empty) return null
  const sums = isCounted ? exchanged({ usage: project.usage, cost: project.cost }, before, row) : {}
  const [timeBefore = '', time = ''] = [before, row].map(
    ({ endTime, startTime }) => endTime ?? startTime ?? '',
  )
  // One that went back may have been the latest of them.
  if (sums === null || time < timeBefore) return null
  const lastActivity = [project.lastActivity ?? '', time].sort().at(-1) || null
  const projects = list.projects
    .map((each) => (each === project ? { ...each, ...sums, lastActivity } : each))
    .sort((a, b) => newestFirst(a.lastActivity ?? '', b.lastActivity ?? '') || (a.name < b.name ? -1 : 1))
  return { ...list, at, projects }
}

function newestFirst(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0
}
