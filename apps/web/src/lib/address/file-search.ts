import { choiceParam, type RawSearch, textParam } from './search-params.ts'

/** What the address of a file's history says. */
export type FileSearch = {
  path?: string
  /** Key of the project that the path lies in. */
  project?: string
  show?: 'changes' | 'reads'
}

export function readFileSearch(search: RawSearch): FileSearch {
  return {
    path: textParam(search, 'path'),
    project: textParam(search, 'project'),
    show: choiceParam(search, 'show', ['changes', 'reads']),
  }
}

/** The address of everything that was done to a file, for `<Link {...fileHistoryLink(path, projectKey)}>`. */
export function fileHistoryLink(path: string, projectKey: string | undefined) {
  return { to: '/file', search: { path, project: projectKey } } as const
}
