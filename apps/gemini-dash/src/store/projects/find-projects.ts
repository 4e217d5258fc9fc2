import { foldTextOnly, wildcardPattern } from '@gemini-dash/session-index'
import { isSamePath, type Project } from 'gemini-sessions'

/**
 * Keys of the projects that `project=` or `project:` means: its key, its path, its name, or a part of one of these; `*` is
 * anything. The most exact kind of match wins; several projects of one name are all meant. Where nothing is called so,
 * commas part several names.
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
