import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MoveTarget } from '@gemini-dash/api'
import { readRemotes } from './git-remotes.ts'
import type { ProjectTraces } from './project-traces.ts'

export interface WeighedFolder {
  target: MoveTarget
  /** More where more speaks for it; 0 where too little does to propose it. */
  weight: number
}

/** What speaks for a folder being where sessions belong now. Reads its `.git/config`, and asks whether files are there. */
export function weighFolder({ path: before, files, remotes }: ProjectTraces, path: string): WeighedFolder {
  const evidence: MoveTarget['evidence'] = []
  const remote = readRemotes(path).find((name) => remotes.has(name))
  if (remote !== undefined)
    evidence.push({ kind: 'git-remote', text: `It has the same git remote, ${remote}.` })
  const found = files.filter((name) => existsSync(join(path, name))).length
  if (found > 0)
    evidence.push({
      kind: 'files',
      text: `${found} of ${files.length} files that the sessions touched are there.`,
    })
  const end = before === null ? [] : commonEnd(before, path)
  if (end.length > 0) evidence.push({ kind: 'path-end', text: `Both paths end in ${end.join('/')}.` })
  const share = files.length === 0 ? 0 : found / files.length
  const weight = (remote === undefined ? 0 : 100) + (share < 0.5 ? 0 : 50 * share) + 5 * end.length
  return { target: { path, evidence }, weight }
}

function commonEnd(a: string, b: string): string[] {
  const [one, other] = [a, b].map((path) => path.split(/[\\/]+/).filter((part) => part !== ''))
  const end: string[] = []
  while (one !== undefined && other !== undefined) {
    const [last, otherLast] = [one.pop(), other.pop()]
    if (last === undefined || last !== otherLast) break
    end.unshift(last)
  }
  return end
}
