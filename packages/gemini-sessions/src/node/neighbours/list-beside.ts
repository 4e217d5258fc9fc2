import { lstatSync } from 'node:fs'
import { toSafeName } from '../../derive/neighbours/to-safe-name.ts'
import type { ProjectPlace } from '../scan/scan.ts'
import { listEntries } from './list-entries.ts'

/** A file that the CLI keeps beside the logs of sessions, with what tells whether it changed. */
export interface BesideFile {
  /** Absolute path of the project's folder, and of the file below it. */
  folder: string
  place: string
  kind: 'output' | 'picture' | 'plan' | 'task' | 'restore-point' | 'other'
  /** Of the session whose own it is, by the name of a folder; null: only its records tell. */
  sessionId: string | null
  sizeBytes: number
  mtimeNs: string
  ctimeNs: string
  inode: string
}

/** The CLI nests `plans`, `tracker` and `tasks` in a session's own folder; what lies deeper is foreign, but goes with it. */
const MOST_LEVELS = 4

/** Names of folders of the project itself, which no session has for its own. */
const OF_PROJECT: ReadonlyMap<string, BesideFile['kind'] | null> = new Map([
  ['chats', null],
  ['checkpoints', 'restore-point'],
  ['images', 'picture'],
  ['logs', null],
  ['memory', null],
  ['plans', 'plan'],
  ['tasks', null],
  ['tool-outputs', 'output'],
  ['tool_output', 'output'],
  ['tracker', 'task'],
])

/**
 * What the CLI keeps beside the logs of these sessions in one folder of a project, as its clean-up takes it: whole outputs,
 * pictures, plans, tasks, restore points, and the folders that sessions have for their own. Opens nothing, follows no link.
 */
export function listBeside({ folder }: ProjectPlace, sessionIds: Iterable<string>): BesideFile[] {
  const idByName = new Map([...sessionIds].map((id) => [toSafeName(id), id]))
  const found: BesideFile[] = []
  const walk = (inner: string, about: Pick<BesideFile, 'kind' | 'sessionId'>, levels: number) => {
    for (const entry of listEntries(folder, inner)) {
      const place = `${inner}/${entry.name}`
      if (entry.isFile()) found.push(...measure(folder, place, about))
      else if (entry.isDirectory() && levels > 1)
        walk(
          place,
          { kind: kindOf(entry.name, about.kind), sessionId: ownerOf(entry.name, about) },
          levels - 1,
        )
    }
  }
  const ownerOf = (name: string, { kind, sessionId }: Pick<BesideFile, 'kind' | 'sessionId'>) => {
    // A second session of the same id has `________<n>` behind its name.
    const [, owner = ''] = kind === 'output' ? (/^session-(.*?)(?:_{8}\d+)?$/.exec(name) ?? []) : []
    return sessionId ?? idByName.get(owner) ?? null
  }
  for (const entry of listEntries(folder, '')) {
    const { name } = entry
    if (entry.isFile() && /\.(txt|output)$/.test(name))
      // Versions 0.26 to 0.28 left outputs loose in the project's folder.
      found.push(...measure(folder, name, { kind: 'output', sessionId: null }))
    if (!entry.isDirectory()) continue
    const kind = OF_PROJECT.get(name.toLowerCase())
    if (kind) walk(name, { kind, sessionId: null }, MOST_LEVELS)
    const sessionId = kind === undefined ? idByName.get(name) : undefined
    if (sessionId !== undefined) walk(name, { kind: 'other', sessionId }, MOST_LEVELS)
  }
  return found
}

function kindOf(name: string, kind: BesideFile['kind']): BesideFile['kind'] {
  return kind === 'other' ? (OF_PROJECT.get(name) ?? kind) : kind
}

function measure(folder: string, place: string, about: Pick<BesideFile, 'kind' | 'sessionId'>): BesideFile[] {
  try {
    const { size, mtimeNs, ctimeNs, ino } = lstatSync(`${folder}/${place}`, { bigint: true })
    const stamp = { mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) }
    return [{ folder, place, ...about, sizeBytes: Number(size), ...stamp }]
  } catch {
    // gone between two questions
    return []
  }
}
