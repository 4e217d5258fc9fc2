import { type HashText, sha256Hex } from '../identity/sha256-hex.ts'
import { choosePath } from '../path-clues/choose-path.ts'
import { judgeClues } from '../path-clues/judge-clues.ts'
import type { PathClue } from '../path-clues/path-clue.ts'
import type { ProjectIdentity } from './identify-projects.ts'
import { nameProject } from './name-project.ts'

/** The project as it is known with these clues besides, such as what the user says. Its key stays; `tellApart` its name from others. */
export function withPathClues(
  project: ProjectIdentity,
  clues: readonly PathClue[],
  hashText: HashText = sha256Hex,
): ProjectIdentity {
  if (clues.length === 0) return project
  const candidates = judgeClues([...project.candidates, ...clues], new Set(project.hashes), hashText)
  const chosen = choosePath(candidates)
  const folderNames = project.folders.map((folder) => folder.slice(folder.lastIndexOf('/') + 1)).sort()
  return { ...project, ...nameProject(chosen.path, folderNames), ...chosen, candidates }
}
