import { lstatSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { basename } from 'node:path/posix'
import { CONVERSATION_FOLDER, idOfConversation } from '@gemini-dash/antigravity-sessions/scan'
import { groupBy } from '@gemini-dash/api/group-by'
import { isArchive } from '@gemini-dash/archive'
import type {
  DiscoveredFile,
  GeminiHome,
  ProjectPlace,
  Scan,
  ScannedConversation,
  SkippedEntry,
} from 'gemini-sessions/node'
import { HomeJournal } from '../home-writes/home-journal.ts'
import { conversationFiles } from '../store/sync/scan.ts'
import { type ArchiveState, describeLost, sumStates, WHOLE } from './archive-state.ts'
import { archiveFolder, type GoneEntry, GoneFolder, type GoneList, NOTHING_GONE } from './gone-list.ts'

const MAX_MARKER_BYTES = 64 * 1024

export interface GoneFilesOptions {
  /** null: nothing was ever archived. */
  dataFolder: string | null
  homes: readonly GeminiHome[]
  /** Extracts what is missing in this home from its archive. @throws on failure */
  bringOut: (home: GeminiHome) => Promise<void>
  /** Called after each scan with the reason why not everything could be extracted; null if it could. */
  onProblem: (reason: string | null) => void
  /** Called after each scan with the state of each home's archive. */
  tellStates?: (states: ReadonlyMap<string, ArchiveState>) => void
}

interface HomeGone {
  home: GeminiHome
  archive: string
  folder: GoneFolder
  /** Identity of the list alone; null before the first scan. */
  ofList: string | null
  /**
   * Identity of the list when last read, the list, and its extracted files, except those this program itself had written to the home and
   * removed.
   */
  identity: string
  list: GoneList
  files: { entry: GoneEntry; file: DiscoveredFile }[]
}

/** The archived files that are no longer in their homes, added where a scan of the homes would have found them. */
export class GoneFiles {
  readonly #homes: HomeGone[]
  readonly #bringOut: GoneFilesOptions['bringOut']
  readonly #onProblem: GoneFilesOptions['onProblem']
  readonly #tellStates: (states: ReadonlyMap<string, ArchiveState>) => void
  readonly #journal: HomeJournal

  constructor({ dataFolder, homes, bringOut, onProblem, tellStates = () => {} }: GoneFilesOptions) {
    this.#bringOut = bringOut
    this.#onProblem = onProblem
    this.#tellStates = tellStates
    this.#journal = new HomeJournal(dataFolder ?? '')
    this.#homes = (dataFolder === null ? [] : homes).map((home) => {
      const archive = archiveFolder(dataFolder ?? '', home.path)
      const folder = new GoneFolder(archive)
      return { home, archive, folder, ofList: null, identity: '', list: NOTHING_GONE, files: [] }
    })
  }

  /** Like `addTo`, but first extracts what is missing; what cannot be extracted is left out and reported. */
  async complete(scan: Scan): Promise<Scan> {
    let problem: string | null = null
    for (const gone of this.#homes) {
      const { home, archive, folder } = gone
      if (!isArchive(archive)) continue
      const paths = scan.missing?.includes(home.tmpPath) ? null : pathsOf(scan, home)
      const isIntact = folder.isIntact(this.#read(gone).list)
      // measure them again
      if (!isIntact) gone.identity = ''
      if (isIntact && folder.checked()?.state === folder.stateFor(paths)) continue
      try {
        await this.#bringOut(home)
      } catch (error) {
        problem ??= error instanceof Error ? error.message : String(error)
      }
    }
    this.#onProblem(problem)
    this.#tellStates(
      new Map(this.#homes.map(({ home, folder }) => [home.path, folder.checked()?.archive ?? WHOLE])),
    )
    return this.addTo(scan)
  }

  /** Adds the extracted files that are missing in the home. */
  addTo(scan: Scan): Scan {
    return this.#homes.reduce((sum, gone) => addHome(sum, this.#read(gone)), scan)
  }

  /** Whether any process has changed a list; false before the first scan. */
  hasChanged(): boolean {
    return this.#homes.some(({ ofList, folder }) => ofList !== null && folder.identity() !== ofList)
  }

  /** According to the last scan. */
  describeLost(): string | null {
    const { lost } = sumStates(this.#homes.flatMap(({ folder }) => folder.checked()?.archive ?? []))
    return lost === null ? null : describeLost(lost)
  }

  #read(gone: HomeGone): HomeGone {
    const { home, folder } = gone
    const ofList = folder.identity()
    gone.ofList = ofList
    const identity = `${ofList}\n${this.#journal.identity()}`
    if (identity === gone.identity) return gone
    gone.identity = identity
    gone.list = ofList === '' ? NOTHING_GONE : folder.read()
    const takenBack = this.#journal.takenBack(home.path)
    gone.files = gone.list.entries.flatMap((entry) => {
      const file = isOurs(takenBack, entry.path, entry.firstSeen) ? null : measure(home, folder, entry)
      return file === null ? [] : [{ entry, file }]
    })
    return gone
  }
}

/** Files that did not exist before this program wrote them. */
export function isOurs(
  takenBack: ReadonlyMap<string, string>,
  path: string,
  firstSeen: string | undefined,
): boolean {
  const written = takenBack.get(path)
  return written !== undefined && firstSeen !== undefined && firstSeen >= written
}

function pathsOf(scan: Scan, { path: homePath }: GeminiHome): string[] {
  return [...scan.files, ...conversationFiles(scan)].flatMap(({ home, path, kept }) =>
    home === homePath && kept === undefined ? [path] : [],
  )
}

function measure(home: GeminiHome, folder: GoneFolder, entry: GoneEntry): DiscoveredFile | null {
  const absolutePath = `${toSlashes(folder.files)}/${entry.place}`
  const stats = lstatSync(absolutePath, { bigint: true, throwIfNoEntry: false })
  const isWhole = entry.stamp === undefined || entry.stamp === folder.stampOf(entry.place)
  if (stats?.isFile() !== true || Number(stats.size) !== entry.sizeBytes || !isWhole) return null
  return {
    home: home.path,
    path: entry.path,
    absolutePath,
    projectFolder: `${home.path}/${entry.path.split('/').slice(0, 2).join('/')}`,
    sizeBytes: entry.sizeBytes,
    mtimeMs: Number(stats.mtimeMs),
    mtimeNs: String(stats.mtimeNs),
    ctimeNs: String(stats.ctimeNs),
    inode: String(stats.ino),
    kept: entry.kept,
  }
}

function addHome(scan: Scan, { home, list, files, folder }: HomeGone): Scan {
  if (files.length === 0 && list.damaged.length === 0) return scan
  const there = new Set(scan.files.map((file) => `${file.home}\n${file.path}`))
  // Until the list is updated, a file that came back would otherwise appear twice.
  const gone = files.filter(({ file }) => !there.has(`${home.path}\n${file.path}`))
  return {
    ...scan,
    files: [...scan.files, ...gone.flatMap(({ entry, file }) => (isLog(entry) ? [file] : []))],
    ...(scan.conversations && { conversations: addConversations(scan.conversations, home, gone) }),
    projects: addPlaces(scan.projects, home, folder, gone),
    skipped: [...scan.skipped, ...list.damaged.map((each) => explainDamaged(home, each))],
  }
}

/** Conversations of which nothing is left in the home, and databases of those that lost only the database. */
function addConversations(
  there: readonly ScannedConversation[],
  home: GeminiHome,
  gone: HomeGone['files'],
): ScannedConversation[] {
  const known = new Set(there.flatMap(({ home: own, id }) => (own === home.path ? [id] : [])))
  const databases = new Map<string, DiscoveredFile>()
  const found = new Map<string, ScannedConversation>()
  for (const { entry, file } of gone) {
    const id = entry.kind === 'conversation' ? idOfConversation(entry.path) : undefined
    if (id === undefined || entry.kept.cause !== 'deleted') continue
    const own = { ...file, projectFolder: `${home.path}/${CONVERSATION_FOLDER}` }
    if (known.has(id)) {
      if (isDatabase(file)) databases.set(id, own)
      continue
    }
    const conversation = found.get(id) ?? { home: home.path, id, files: [] }
    found.set(id, conversation)
    conversation.files.push(own)
  }
  const completed = there.map((conversation) => {
    const database = conversation.home === home.path ? databases.get(conversation.id) : undefined
    const isMissing = database !== undefined && !conversation.files.some(isDatabase)
    return isMissing ? { ...conversation, files: [database, ...conversation.files] } : conversation
  })
  // A title or a plan alone is not a conversation.
  const whole = [...found.values()].filter(({ files }) =>
    files.some((file) => isDatabase(file) || file.path.includes('/logs/')),
  )
  return [...completed, ...whole]
}

function isDatabase({ path }: DiscoveredFile): boolean {
  return path.endsWith('.db')
}

function isLog({ kind }: GoneEntry): boolean {
  return kind === 'session' || kind === 'subagent'
}

/** Project folders with the archived files they contain, including folders that are gone entirely. */
function addPlaces(
  places: readonly ProjectPlace[],
  home: GeminiHome,
  { files }: GoneFolder,
  gone: HomeGone['files'],
): ProjectPlace[] {
  const byFolder = groupBy(gone, ({ file }) => file.projectFolder)
  const known = new Set(places.map(({ folder }) => folder))
  const lost = [...byFolder.keys()].filter(
    (folder) => !known.has(folder) && folder.startsWith(`${home.tmpPath}/`),
  )
  const added = lost.sort().map((folder): ProjectPlace => {
    return { home: home.path, folder, name: basename(folder), marker: null, logs: null, checkpoints: [] }
  })
  return [...places, ...added].map((place) => {
    if (place.home !== home.path) return place
    const own = byFolder.get(place.folder) ?? []
    const marker =
      place.marker ?? keptMarker([...own, ...(byFolder.get(`${home.path}/history/${place.name}`) ?? [])])
    if (own.length === 0) return marker === place.marker ? place : { ...place, marker }
    const saved = new Set(place.checkpoints.map(({ path }) => path))
    const chats = own.flatMap(({ entry, file }) =>
      isSavedChat(entry) && !saved.has(entry.path) ? [file] : [],
    )
    const typed = own.filter(({ entry }) => entry.kind === 'prompts')
    return {
      ...place,
      marker,
      logs: place.logs ?? typed.find(({ entry }) => entry.kept.cause === 'deleted')?.file ?? null,
      earlierLogs: typed.flatMap(({ entry, file }) => (entry.kept.cause === 'overwritten' ? [file] : [])),
      checkpoints: [...place.checkpoints, ...chats],
      keptFolder: `${toSlashes(files)}/${place.folder.slice(home.path.length + 1)}`,
    }
  })
}

/** Some versions saved chats among the restore points. */
function isSavedChat({ kind, path }: GoneEntry): boolean {
  return kind === 'saved-chat' || (kind === 'restore-point' && /\/checkpoint(-[^/]*)?\.json$/.test(path))
}

function keptMarker(gone: HomeGone['files']): string | null {
  const marker = gone.find(({ entry }) => entry.kind === 'project')
  if (marker === undefined || marker.file.sizeBytes > MAX_MARKER_BYTES) return null
  return readFileSync(marker.file.absolutePath, 'utf8').trim() || null
}

function explainDamaged(
  home: GeminiHome,
  { path, isOfNewerNode }: GoneList['damaged'][number],
): SkippedEntry {
  const found = { path: `${home.path}/${path}`, code: 'unreadable' as const }
  if (isOfNewerNode) {
    return {
      ...found,
      reason: `This is no longer in the Gemini folder, and Node.js ${process.version} can’t read the archived copy: a newer Node.js wrote it.`,
      advice: 'To show it, start gemini-dash with Node.js 22.15 or newer.',
      needsAttention: true,
    }
  }
  return {
    ...found,
    reason: 'This is no longer in the Gemini folder, and the archived copy is damaged.',
    advice: 'Restore the file from a backup; it is then read and archived again.',
    needsAttention: true,
  }
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
