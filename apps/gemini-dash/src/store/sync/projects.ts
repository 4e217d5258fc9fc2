import { stat } from 'node:fs/promises'
import type { LiveEvent, ProjectChange } from '@gemini-dash/api'
import {
  type GeminiHome,
  isLocalPath,
  type PathClue,
  type ProjectIdentity,
  tellApart,
  withPathClues,
} from 'gemini-sessions/node'
import { type FoundFolders, findProjectFolders } from '../../folder-search.ts'
import type { WordChange, WordList } from '../../own-data/price-file.ts'
import type { Rows } from './rows.ts'

/** If a home names more folders than this, not all of them are checked. */
const MAX_PATHS = 500
const FRESH_MS = 60_000

export interface ProjectRegistryOptions {
  rows: Rows
  words: WordList
  emit: (event: LiveEvent) => void
  /** The folders named in the sample home do not exist: a search for them would be pointless. */
  isDemo: boolean
  homes: readonly GeminiHome[]
  /** What `~` stands for in a path that the user enters, and where folders are searched. */
  userHome: string
}

/** The projects according to the disk and the user; keeps those of the rows up to date. */
export class ProjectRegistry {
  readonly #options: ProjectRegistryOptions
  readonly #presence: FolderPresence
  #identities: readonly ProjectIdentity[] = []
  /** Folders found by a search, by project key; unconfirmed ones are kept only for this run. */
  readonly #searched = new Map<string, string[]>()

  constructor(options: ProjectRegistryOptions) {
    this.#options = options
    this.#presence = new FolderPresence(() => options.emit({ kind: 'projects' }))
  }

  /** Takes over what a scan found. */
  set(identities: readonly ProjectIdentity[]): void {
    const { rows, words, emit } = this.#options
    const before = fingerprint(rows.projects())
    this.#identities = identities
    words.reload()
    this.#apply()
    if (before !== '' && fingerprint(rows.projects()) !== before) emit({ kind: 'projects' })
  }

  /**
   * The same without new sessions, when only registries or the user's entries have changed. false: a folder belongs to another project now.
   */
  setWhereSame(identities: readonly ProjectIdentity[]): boolean {
    const keysOf = (all: readonly ProjectIdentity[]) =>
      all.map(({ key, folders }) => `${key}\n${folders.join('\n')}`).join('\n')
    if (keysOf(identities) !== keysOf(this.#options.rows.projects())) return false
    this.set(identities)
    return true
  }

  isPathGone(path: string | null): boolean | null {
    return path === null || this.#options.isDemo ? null : this.#presence.isGone(path)
  }

  /** false: no such project. @throws if it could not be saved */
  change(key: string, { name, path }: ProjectChange): boolean {
    const change: WordChange = {
      ...(name === undefined ? {} : { name }),
      ...(path === undefined ? {} : { path: path === null ? null : this.#asWritten(path) }),
    }
    return this.#say(key, change)
  }

  /** Searches this computer for the folders of these projects. Confirmed ones are saved, if possible. */
  async findFolders(
    isWanted: (project: ProjectIdentity) => boolean,
    signal: AbortSignal,
  ): Promise<FoundFolders> {
    const wanted = this.#options.rows.projects().filter(isWanted)
    const result = await findProjectFolders(wanted, this.#options, signal)
    for (const [key, paths] of result.guesses) this.#searched.set(key, paths)
    for (const [key, path] of result.found) this.#searched.set(key, [path])
    this.#apply()
    for (const [key, foundPath] of result.found) this.#keep(key, foundPath)
    if (result.found.size + result.guesses.size > 0) this.#options.emit({ kind: 'projects' })
    return result
  }

  #keep(key: string, foundPath: string): void {
    try {
      this.#say(key, { foundPath })
    } catch {
      // It can be found again; until then this run remembers it.
    }
  }

  #say(key: string, change: WordChange): boolean {
    const project = this.#identities.find((identity) => identity.key === key)
    if (project === undefined) return false
    this.#options.words.change(project, change)
    this.#apply()
    this.#options.emit({ kind: 'projects', projectKey: key })
    return true
  }

  /** In the form that the CLI writes and hashes: the home folder spelled out, no separator at the end. */
  #asWritten(path: string): string {
    return path.replace(/^~(?=\/)/, () => this.#options.userHome).replace(/(?<=[^:\\/])[\\/]+$/, '')
  }

  #apply(): void {
    const projects = tellApart(this.#identities.map((identity) => this.#withWords(identity)))
    this.#options.rows.setProjects(projects)
    if (!this.#options.isDemo) this.#presence.look(projects.flatMap(({ path }) => path ?? []))
  }

  #withWords(identity: ProjectIdentity): ProjectIdentity {
    const words = this.#options.words.of(identity)
    const clues: PathClue[] = (this.#searched.get(identity.key) ?? []).map((path) => ({
      path,
      evidence: 'search',
    }))
    if (words?.foundPath != null) clues.push({ path: words.foundPath, evidence: 'search' })
    if (words?.path != null) clues.push({ path: words.path, evidence: 'user' })
    const project = withPathClues(identity, clues)
    return words?.name == null ? project : { ...project, name: words.name, nameSource: 'user' }
  }
}

function fingerprint(projects: readonly ProjectIdentity[]): string {
  return projects.map(({ key, name, path }) => `${key}\n${name}\n${path}`).join('\n')
}

/**
 * Whether folders named by sessions still exist. Checks one after the other, so that a file system that does not respond blocks nothing
 * else, and never a network path.
 */
class FolderPresence {
  readonly #onChange: () => void
  readonly #known = new Map<string, { isGone: boolean | null; askedMs: number }>()
  readonly #asked = new Set<string>()
  #isAsking = false

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  isGone(path: string): boolean | null {
    return this.#known.get(path)?.isGone ?? null
  }

  /** Checks those not checked within the last minute; announces new results. */
  look(paths: readonly string[]): void {
    const oldestMs = performance.now() - FRESH_MS
    for (const path of paths.slice(0, MAX_PATHS)) {
      if (isLocalPath(path) && (this.#known.get(path)?.askedMs ?? Number.NEGATIVE_INFINITY) < oldestMs)
        this.#asked.add(path)
    }
    if (!this.#isAsking) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    let hasChanged = false
    for (const path of this.#asked) {
      const isGone = await isFolderGone(path)
      hasChanged ||= isGone !== this.isGone(path)
      this.#known.set(path, { isGone, askedMs: performance.now() })
      this.#asked.delete(path)
    }
    this.#isAsking = false
    if (hasChanged) this.#onChange()
  }
}

/** null: unknown, for example because a parent folder is not accessible to this user. */
async function isFolderGone(path: string): Promise<boolean | null> {
  try {
    return !(await stat(path)).isDirectory()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' || code === 'ENOTDIR' ? true : null
  }
}
