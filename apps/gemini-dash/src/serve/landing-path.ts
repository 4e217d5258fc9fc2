import type { Project } from 'gemini-sessions'

/** The page of the project in which a folder lies, the innermost of several; else the first page. */
export function landingPath(projects: Project[], folder: string | null): string {
  if (folder === null) return '/'
  const at = `${folder.replaceAll('\\', '/')}/`
  const around = projects.filter(({ path }) => path !== null && at.startsWith(`${path}/`))
  const [innermost] = around.toSorted((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0))
  return innermost === undefined ? '/' : `/p/${encodeURIComponent(innermost.key)}`
}
