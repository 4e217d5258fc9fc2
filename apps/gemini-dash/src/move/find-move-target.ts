import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isSamePath } from 'gemini-sessions'
import { readHeads } from 'gemini-sessions/node'
import { chooseTarget, type Target } from '../recover/find-target.ts'
import type { Refusal } from '../recover/refusals.ts'
import type { RecoverySource } from '../store/recovering.ts'

/** A folder that sessions are to be moved to, as the system calls it. */
export function resolveFolder(to: string): { path: string } | Refusal {
  if (!isAbsolute(to))
    return { code: 'not-a-folder', message: `Name the folder by its whole path: ${to} is a part of one.` }
  try {
    const path = realpathSync.native(to)
    if (statSync(path).isDirectory()) return { path }
  } catch {
    // Not there, or closed to this user.
  }
  return { code: 'not-a-folder', message: `There is no folder ${to} on this computer.` }
}

/** Where the CLI looks for sessions of this folder, in a home of the session. */
export async function findMoveTarget(source: RecoverySource, path: string): Promise<Target | Refusal> {
  const { project } = source.summary
  if (project.path !== null && isSamePath(project.path, path))
    return { code: 'same-project', message: `It is a session of ${path} already.` }
  const projectHash = createHash('sha256').update(path).digest('hex')
  const places = source.allPlaces.filter(
    ({ name, marker }) => name === projectHash || (marker !== null && isSamePath(marker, path)),
  )
  const target = chooseTarget(source, places)
  if (target !== null) return { ...target, moved: { projectHash, from: await originsOf(source) } }
  return {
    code: 'no-folder',
    message: `Gemini CLI has no folder for ${path} in ${source.summary.files[0]?.home} yet. Start it once there, end it, and try again.`,
  }
}

/** All projects that the session was in, by the hashes in its files; that of its current file last. */
async function originsOf({ files, summary }: RecoverySource): Promise<string[]> {
  const current = summary.files.find(({ role }) => role === 'current')
  const heads = await readHeads(files)
  const moves = [...heads.values()].map(({ movedFrom = [] }) => movedFrom)
  const longest = moves.sort((a, b) => b.length - a.length)[0] ?? []
  const lastOf = [...heads].find(([{ home, path }]) => home === current?.home && path === current?.path)?.[1]
    .projectHash
  const hashes = [...heads.values()].flatMap(({ projectHash }) => projectHash ?? [])
  const last = lastOf ?? hashes[0]
  const others = [...new Set(hashes)].filter((hash) => hash !== last && !longest.includes(hash))
  return [...longest, ...others, ...(last === undefined ? [] : [last])]
}
