import { lstatSync } from 'node:fs'
import { shortKey } from '../../derive/identity/keys.ts'
import { linkPastedImages } from '../../derive/neighbours/link-pasted-images.ts'
import { linkSavedOutputs } from '../../derive/neighbours/link-saved-outputs.ts'
import { savedOutputMentions } from '../../derive/neighbours/saved-output-mentions.ts'
import { toSafeName } from '../../derive/neighbours/to-safe-name.ts'
import type { Neighbours } from '../../model/neighbours.ts'
import type { Session } from '../../model/session.ts'
import type { ProjectPlace } from '../scan/scan.ts'
import type { FoundFile } from './found-file.ts'
import { listEntries } from './list-entries.ts'

/** The files beside a session by names and stat alone, and which of them its records name. */
export interface NeighbourList {
  savedOutputs: Neighbours['savedOutputs']
  images: Neighbours['images']
  ownPlans: FoundFile[]
  sharedPlans: FoundFile[]
  ownTasks: FoundFile[]
  sharedTasks: FoundFile[]
  restorePoints: FoundFile[]
  otherFiles: FoundFile[]
  /** Every file in this list by its id: nothing else is ever opened for the session. */
  byId: ReadonlyMap<string, FoundFile>
}

/** Names that a session's own folder cannot have: the project's folder uses them itself. */
const RESERVED = new Set([
  'chats',
  'checkpoints',
  'images',
  'logs',
  'memory',
  'plans',
  'tasks',
  'tool-outputs',
  'tracker',
])

/** Looks beside the sessions of one project (all its folders, in every home); opens nothing. */
export function listNeighbours(places: readonly ProjectPlace[], session: Session): NeighbourList {
  const outputs = places.flatMap((place) => outputFiles(place, session))
  const pictures = places.flatMap((place) => listFolder(place, 'images'))
  const savedOutputs = linkSavedOutputs(
    session.messages,
    outputs.map(({ found, isOwn }) => ({ ...found, isOwn })),
  )
  const images = linkPastedImages(
    session.messages,
    pictures.map(({ file }) => file),
  )
  const lists = {
    ownPlans: inOwnFolder(places, session, 'plans'),
    sharedPlans: places.flatMap((place) => listFolder(place, 'plans')),
    ownTasks: inOwnFolder(places, session, 'tracker'),
    sharedTasks: places.flatMap((place) => listFolder(place, 'tracker')),
    restorePoints: places.flatMap((place) => listFolder(place, 'checkpoints', isRestorePoint)),
    otherFiles: ['tasks', ''].flatMap((inner) => inOwnFolder(places, session, inner)),
  }
  const linkedIds = new Set([...savedOutputs, ...images].flatMap(({ file }) => file?.id ?? []))
  const linked = [...outputs.map(({ found }) => found), ...pictures].filter(({ file }) =>
    linkedIds.has(file.id),
  )
  const all = [...linked, ...Object.values(lists).flat()]
  return { savedOutputs, images, ...lists, byId: new Map(all.map((found) => [found.file.id, found])) }
}

/** Where whole outputs may lie: the session's own folders, those that its records name, and (before 0.29) loose. */
function outputFiles(place: ProjectPlace, session: Session): { found: FoundFile; isOwn: boolean }[] {
  const own = `session-${toSafeName(session.sessionId)}`
  const isOwn = (name: string) => name === own || name.startsWith(`${own}________`)
  const named = new Set(
    session.messages
      .flatMap(({ toolCalls }) => toolCalls.flatMap(savedOutputMentions))
      .flatMap((path) => /\/tool-outputs\/(session-[^/]+)\/[^/]+$/.exec(path)?.[1] ?? []),
  )
  if (session.parentSessionId !== null) named.add(`session-${toSafeName(session.parentSessionId)}`)
  const folders = listSubfolders(place, 'tool-outputs').filter((name) => isOwn(name) || named.has(name))
  const inFolders = folders.flatMap((name) =>
    listFolder(place, `tool-outputs/${name}`).map((found) => ({ found, isOwn: isOwn(name) })),
  )
  const loose = [
    ...listFolder(place, 'tool-outputs'),
    ...listFolder(place, 'tool_output'),
    ...listFolder(place, '', (name) => /\.(txt|output)$/.test(name)),
  ]
  return [...inFolders, ...loose.map((found) => ({ found, isOwn: false }))]
}

function inOwnFolder(places: readonly ProjectPlace[], { sessionId }: Session, inner: string): FoundFile[] {
  const name = toSafeName(sessionId)
  if (name === '' || RESERVED.has(name.toLowerCase())) return []
  return places.flatMap((place) => listFolder(place, inner === '' ? name : `${name}/${inner}`))
}

function isRestorePoint(name: string): boolean {
  return name.endsWith('.json') && !/^checkpoint[-.]/.test(name)
}

/**
 * The regular files of one folder below a project's (`inner`, '' for that itself), by name. Links, pipes and devices
 * are left out, and a folder that is reached through a link has none.
 */
function listFolder(
  place: ProjectPlace,
  inner: string,
  isWanted: (name: string) => boolean = () => true,
): FoundFile[] {
  const folderOf = new Map<string, string>()
  for (const folder of foldersOf(place)) {
    const files = listEntries(folder, inner).filter((entry) => entry.isFile() && isWanted(entry.name))
    for (const { name } of files) if (!folderOf.has(name)) folderOf.set(name, folder)
  }
  return [...folderOf].flatMap(
    ([name, folder]) => measure(place, folder, inner === '' ? name : `${inner}/${name}`) ?? [],
  )
}

/** What was kept of the project's folder comes after what is in it. */
function foldersOf({ folder, keptFolder }: ProjectPlace): string[] {
  return keptFolder === undefined ? [folder] : [folder, keptFolder]
}

/** Names of the folders in it. */
function listSubfolders(place: ProjectPlace, inner: string): string[] {
  const entries = foldersOf(place).flatMap((folder) => listEntries(folder, inner))
  return [...new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))]
}

function measure({ home, folder: ownFolder }: ProjectPlace, folder: string, place: string): FoundFile | null {
  try {
    const { size, mtimeMs } = lstatSync(`${folder}/${place}`)
    const path = `${ownFolder.slice(home.length + 1)}/${place}`
    const modifiedTime = new Date(mtimeMs).toISOString()
    return {
      folder,
      place,
      file: { id: shortKey(`${home}\n${path}`), home, path, sizeBytes: size, modifiedTime },
    }
  } catch {
    return null
  }
}
