import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DiscoveredFile, ScannedConversation } from 'gemini-sessions/node'
import { TimeSlice } from 'gemini-sessions/node'

/** The folder of Antigravity CLI in a Gemini folder. */
export const CONVERSATION_FOLDER = 'antigravity-cli'

/** Contents of the Antigravity CLI folder in some Gemini folders, by names and stat alone. */
export interface ScannedLanes {
  conversations: ScannedConversation[]
  /** Folders that cannot be listed. */
  refused: { path: string; code: string }[]
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** `-shm` contains nothing beyond the other two. */
const CONVERSATION_FILE = /^([^.]+)\.(?:db(?:-wal)?|pb)$/
const TRANSCRIPTS = ['transcript_full.jsonl', 'transcript.jsonl']
/** For conversations without whole transcripts. */
const PIECES = ['chunks/transcript_full', 'chunks/transcript']
const OVERVIEW = 'overview.txt'
/** A folder can have a million files. */
const MOST_PIECES = 5000

/** Finds every conversation in these Gemini folders; without the program, this only checks one folder in each. */
export async function scanConversations(homes: readonly { path: string }[]): Promise<ScannedLanes> {
  const found: ScannedLanes = { conversations: [], refused: [] }
  const slice = new TimeSlice()
  for (const { path } of homes) {
    const conversations = new ConversationFolder(path, found.refused)
    const ids = conversations.ids()
    for (const id of ids) {
      if (slice.isOver()) await slice.next()
      const files = conversations.filesOf(id)
      if (files !== null) found.conversations.push({ home: path, id, files })
    }
  }
  return found
}

/** The Markdown files that the agent of a conversation wrote for the user. */
export function listArtifacts(home: string, id: string): DiscoveredFile[] {
  return new ConversationFolder(home, []).artifactsOf(id)
}

/** Id of the conversation that a file belongs to, by its path relative to the Gemini folder. undefined: none. */
export function idOfConversation(path: string): string | undefined {
  return /^antigravity-cli\/(?:brain\/([^/]+)\/|annotations\/([^/]+)\.pbtxt$|conversations\/([^/]+)\.db$)/
    .exec(path)
    ?.slice(1)
    .find(Boolean)
}

class ConversationFolder {
  readonly #home: string
  readonly #refused: ScannedLanes['refused']
  readonly #files = new Map<string, string[]>()
  readonly #brains = new Set<string>()
  readonly #titled = new Set<string>()

  constructor(home: string, refused: ScannedLanes['refused']) {
    this.#home = home
    this.#refused = refused
  }

  /** Sorted by name. */
  ids(): string[] {
    // A link could lead anywhere.
    if (!this.#isFolder(CONVERSATION_FOLDER)) return []
    const folders = this.#list(CONVERSATION_FOLDER).filter((entry) => entry.isDirectory())
    const has = (name: string) => folders.some((entry) => entry.name === name)
    if (has('conversations'))
      for (const { name } of this.#list(`${CONVERSATION_FOLDER}/conversations`)) {
        const id = CONVERSATION_FILE.exec(name)?.[1]
        if (id !== undefined) this.#files.set(id, [...(this.#files.get(id) ?? []), name])
      }
    if (has('brain'))
      for (const entry of this.#list(`${CONVERSATION_FOLDER}/brain`))
        if (entry.isDirectory() && ID.test(entry.name)) this.#brains.add(entry.name)
    const ids = [...new Set([...this.#files.keys(), ...this.#brains])].sort()
    if (ids.length > 0 && has('annotations'))
      for (const { name } of this.#list(`${CONVERSATION_FOLDER}/annotations`))
        if (name.endsWith('.pbtxt')) this.#titled.add(name.slice(0, -'.pbtxt'.length))
    return ids
  }

  /** Its readable files; empty if only its name exists. null: not a conversation, but a folder left by one that is gone. */
  filesOf(id: string): DiscoveredFile[] | null {
    const names = (this.#files.get(id) ?? [])
      .sort()
      .map((name) => `${CONVERSATION_FOLDER}/conversations/${name}`)
    const transcripts = this.#brains.has(id) ? this.#transcriptsOf(id) : []
    if (names.length === 0 && transcripts.length === 0 && !this.#hasOddTranscript(id)) return null
    const title = this.#titled.has(id) ? [`${CONVERSATION_FOLDER}/annotations/${id}.pbtxt`] : []
    return [...[...names, ...title].flatMap((path) => this.#measure(path) ?? []), ...transcripts]
  }

  artifactsOf(id: string): DiscoveredFile[] {
    const folder = `${CONVERSATION_FOLDER}/brain/${id}`
    if (![CONVERSATION_FOLDER, `${CONVERSATION_FOLDER}/brain`, folder].every((path) => this.#isFolder(path)))
      return []
    const names = this.#list(folder).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    const texts = names.filter((name) => name.endsWith('.md')).sort()
    return texts.slice(0, MOST_PIECES).flatMap((name) => this.#measure(`${folder}/${name}`) ?? [])
  }

  #transcriptsOf(id: string): DiscoveredFile[] {
    const logs = `${CONVERSATION_FOLDER}/brain/${id}/.system_generated/logs`
    if (!this.#isFolder(`${CONVERSATION_FOLDER}/brain/${id}/.system_generated`) || !this.#isFolder(logs))
      return []
    const whole = TRANSCRIPTS.flatMap((name) => this.#measure(`${logs}/${name}`) ?? [])
    if (whole.length > 0) return whole
    const pieces = this.#isFolder(`${logs}/chunks`)
      ? PIECES.flatMap((folder) => this.#piecesIn(`${logs}/${folder}`))
      : []
    return pieces.length > 0 ? pieces : [this.#measure(`${logs}/${OVERVIEW}`) ?? []].flat()
  }

  /** A pipe or link in place of a transcript: the issue of its row says so. */
  #hasOddTranscript(id: string): boolean {
    const logs = `${CONVERSATION_FOLDER}/brain/${id}/.system_generated/logs`
    if (!this.#brains.has(id) || !this.#isFolder(logs)) return false
    return TRANSCRIPTS.some(
      (name) => lstatSync(join(this.#home, logs, name), { throwIfNoEntry: false }) !== undefined,
    )
  }

  #piecesIn(folder: string): DiscoveredFile[] {
    if (!this.#isFolder(folder)) return []
    const names = this.#list(folder).map(({ name }) => name)
    const pieces = names.filter((name) => /^\d+\.jsonl$/.test(name)).sort()
    return pieces.slice(0, MOST_PIECES).flatMap((name) => this.#measure(`${folder}/${name}`) ?? [])
  }

  #list(path: string): Dirent[] {
    try {
      return readdirSync(join(this.#home, path), { withFileTypes: true })
    } catch (error) {
      this.#note(path, error)
      return []
    }
  }

  #isFolder(path: string): boolean {
    return lstatSync(join(this.#home, path), { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  /** null: not a regular file, or gone. */
  #measure(path: string): DiscoveredFile | null {
    try {
      const absolutePath = `${this.#home}/${path}`
      const stats = lstatSync(absolutePath, { bigint: true })
      if (!stats.isFile()) return null
      return {
        ...{ home: this.#home, path, absolutePath, projectFolder: `${this.#home}/${CONVERSATION_FOLDER}` },
        sizeBytes: Number(stats.size),
        mtimeMs: Number(stats.mtimeMs),
        mtimeNs: String(stats.mtimeNs),
        ctimeNs: String(stats.ctimeNs),
        inode: String(stats.ino),
      }
    } catch (error) {
      this.#note(path, error)
      return null
    }
  }

  #note(path: string, error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#refused.push({ path: `${this.#home}/${path}`, code })
  }
}
