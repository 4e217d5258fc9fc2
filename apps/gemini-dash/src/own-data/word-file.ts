import type { KeptList } from './kept-list.ts'
import { openListFile } from './list-file.ts'
import type { TellDataProblem } from './own-file.ts'
import { type ProjectWords, projectWordsSchema } from './project-words.ts'

/** What the user said about projects, in `projects.json` of the data folder. */
export function openWordFile(folder: string, tell: TellDataProblem): KeptList<ProjectWords> {
  return openListFile({
    folder,
    name: 'projects',
    item: projectWordsSchema,
    what: 'The names that you gave to projects',
    tell,
  })
}
