import type { Project } from 'gemini-sessions'
import { type PathFlavour, pathFlavour } from '../paths/path-flavour.ts'

/** The page of the project in which a folder lies, the innermost of several; else the first page. */
export function landingPath(
  projects: Project[],
  folder: string | null,
  flavour: PathFlavour = pathFlavour(),
): string {
  if (folder === null) return '/'
  const around = projects.filter(({ path }) => path !== null && flavour.isWithin(folder, path))
  const [innermost] = around.toSorted((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0))
  return innermost === undefined ? '/' : `/p/${encodeURIComponent(innermost.key)}`
}
