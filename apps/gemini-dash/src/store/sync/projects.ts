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

/** A home that names more folders than this is not asked about all of them. */
const MAX_PATHS = 500
const FRESH_MS = 60_000

export interface ProjectRegistryOptions {
  rows: Rows
  words: WordList
  emit: (event: LiveEvent) => void
  /** The sample home names folders of nobody: to look for them would tell nothing. */
  isDemo: boolean
  homes: readonly GeminiHome[]
  /** What `~` means in a path that the user gives, and where folders are looked for. */
  userHome: string
}

/** The projects as the disk and the user tell them; keeps those of the rows equal to that. */
export class ProjectRegistry {
  readonly #options: ProjectRegistryOptions
  readonly #presence: FolderPresence
  #identities: readonly ProjectIdentity[] = []
  /** Folders that a search came upon, by the project's key; those that are not proven are for this run alone. */
  readonly #searched = new Map<string, string[]>()

  constructor(options: ProjectRegistryOptions) {
    this.#options = options
    this.#presence = new FolderPresence(() => options.emit({ kind: 'projects' }))
  }

  /** What a look at the disk found. */
  set(identities: readonly ProjectIdentity[]): void {
    const { rows, words, emit } = this.#options
    const before = fingerprint(rows.projects())
    this.#identities = identities
    words.reload()
    this.#apply()
    if (before !== '' && fingerprint(rows.projects()) !== before) emit({ kind: 'projects' })
  }

  /** The same, without any new session: registries and the user's words change. false: a folder is of another project now. */
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

  /** false: there is no such project. @throws if it could not be kept */
  change(key: string, { name, path }: ProjectChange): boolean {
    const change: WordChange = {
      ...(name === undefined ? {} : { name }),
      ...(path === undefined ? {} : { path: path === null ? null : this.#asWritten(path) }),
    }
    return this.#say(key, change)
  }

  /** Looks on this computer for the folders of these projects. What is proven is kept, where anything can be kept. */
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
      // It can be found again; until then this run knows it.
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

  /** As the CLI writes and hashes a root: the home folder spelled out, no separator at the end. */
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
 * Whether folders that sessions name are still there. Asks for one after the other, so that a file system that does not
 * answer holds up nothing else, and never for a path on the network.
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

  /** Asks for those that were not asked for within the last minute; tells when answers are new. */
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

/** null: nobody may know, as where a folder above is closed to this user. */
async function isFolderGone(path: string): Promise<boolean | null> {
  try {
    return !(await stat(path)).isDirectory()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' || code === 'ENOTDIR' ? true : null
  }
}
