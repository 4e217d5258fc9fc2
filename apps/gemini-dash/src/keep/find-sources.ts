import { lstatSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import type { FileLabel, TakenStamp } from '@gemini-dash/archive'
import { readSessionPath } from 'gemini-sessions'
import {
  type BesideFile,
  type DiscoveredFile,
  type GeminiHome,
  listBeside,
  type ProjectPlace,
  readHeads,
  scanHomes,
} from 'gemini-sessions/node'

/** A file that goes with sessions. */
export interface KeepSource {
  /** Relative to its home. */
  path: string
  /** Absolute path of the folder that it must lie in, and of the file below it. */
  folder: string
  place: string
  stamp: TakenStamp
  label: FileLabel
}

/**
 * Everything in a home that its sessions are made of: logs and those of sub-agents, prompt logs, saved chats, what the CLI
 * keeps beside them, and what says which project a folder is of. By names and stat; of logs that are new (`labelOf` knows
 * none) the first bytes are read. null: there is no such home now.
 */
export async function findSources(
  home: GeminiHome,
  labelOf: (path: string) => FileLabel | null,
): Promise<KeepSource[] | null> {
  const scan = await scanHomes([home])
  if (scan.missing !== undefined) return null
  const logs = await sessionLogs(scan.files, labelOf)
  const idsByFolder = new Map<string, Set<string>>()
  for (const { folder, path, label } of logs) {
    const ids = idsByFolder.get(folder) ?? new Set()
    idsByFolder.set(folder, ids)
    for (const id of [label.sessionId, readSessionPath(path).parentId]) if (id) ids.add(id)
  }
  return [
    ...logs,
    ...scan.projects.flatMap((project) => ofProject(home, project, idsByFolder.get(project.folder) ?? [])),
  ]
}

async function sessionLogs(
  files: readonly DiscoveredFile[],
  labelOf: (path: string) => FileLabel | null,
): Promise<KeepSource[]> {
  // a log may be seen before its first line is written
  const unknown = files.filter(({ path }) => (labelOf(path)?.sessionId ?? null) === null)
  const heads = await readHeads(unknown)
  return files.map((file) => {
    const head = heads.get(file)
    const { parentId, stem } = readSessionPath(file.path)
    const isSubagent = head?.kind === 'subagent' || (parentId !== null && !stem.startsWith('session-'))
    const known = labelOf(file.path)
    const label =
      head === undefined && known !== null
        ? known
        : { kind: isSubagent ? 'subagent' : 'session', sessionId: head?.sessionId ?? null }
    return toSource(file, label)
  })
}

function ofProject(home: GeminiHome, project: ProjectPlace, sessionIds: Iterable<string>): KeepSource[] {
  const { folder, logs, checkpoints, name } = project
  const beside = listBeside(project, sessionIds)
  const places = new Set(beside.map(({ place }) => place))
  return [
    ...(logs === null ? [] : [toSource(logs, { kind: 'prompts', sessionId: null })]),
    ...checkpoints
      .map((file) => toSource(file, { kind: 'saved-chat', sessionId: null }))
      .filter(({ place }) => !places.has(place)),
    ...beside.map((file) => besideSource(home, file)),
    ...marker(home, folder),
    ...marker(home, `${home.path}/history/${name}`),
  ]
}

function toSource(file: DiscoveredFile, label: FileLabel): KeepSource {
  const { path, projectFolder, absolutePath, sizeBytes, mtimeNs, ctimeNs, inode } = file
  return {
    path,
    folder: projectFolder,
    place: absolutePath.slice(projectFolder.length + 1),
    stamp: { sizeBytes, mtimeNs, ctimeNs, inode },
    label,
  }
}

function besideSource(home: GeminiHome, file: BesideFile): KeepSource {
  const { folder, place, kind, sessionId, sizeBytes, mtimeNs, ctimeNs, inode } = file
  return {
    path: `${folder}/${place}`.slice(home.path.length + 1),
    folder,
    place,
    stamp: { sizeBytes, mtimeNs, ctimeNs, inode },
    label: { kind, sessionId },
  }
}

/** `.project_root` names the project's folder: without it a hash or a slug is all that is known. */
function marker(home: GeminiHome, folder: string): KeepSource[] {
  const place = '.project_root'
  // A link may lead anywhere.
  const isOwn = [dirname(folder), folder].every(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  )
  const stats = isOwn ? lstatSync(`${folder}/${place}`, { bigint: true, throwIfNoEntry: false }) : undefined
  if (stats?.isFile() !== true) return []
  return [
    {
      path: `${folder}/${place}`.slice(home.path.length + 1),
      folder,
      place,
      stamp: {
        sizeBytes: Number(stats.size),
        mtimeNs: String(stats.mtimeNs),
        ctimeNs: String(stats.ctimeNs),
        inode: String(stats.ino),
      },
      label: { kind: 'project', sessionId: null },
    },
  ]
}
