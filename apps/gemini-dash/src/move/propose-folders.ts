import type { MoveTarget } from '@gemini-dash/api'
import { isSamePath } from 'gemini-sessions'
import { isFolder } from '../paths/is-folder.ts'
import type { RecoverySource } from '../store/recovering.ts'
import type { ProjectTraces } from './project-traces.ts'
import { weighFolder } from './weigh-folder.ts'

const MOST = 5

/** Folders that the CLI knows in the homes of the session and for which something speaks, the likeliest first. */
export function proposeFolders({ allPlaces, summary }: RecoverySource, traces: ProjectTraces): MoveTarget[] {
  const homes = new Set(summary.files.map(({ home }) => home))
  const paths = allPlaces.flatMap(({ home, marker }) => (homes.has(home) && marker !== null ? [marker] : []))
  const own = summary.project.path
  const others = [...new Set(paths)].filter(
    (path) => (own === null || !isSamePath(own, path)) && isFolder(path),
  )
  return others
    .map((path) => weighFolder(traces, path))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || (a.target.path < b.target.path ? -1 : 1))
    .slice(0, MOST)
    .map(({ target }) => target)
}
