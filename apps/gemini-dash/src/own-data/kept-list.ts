import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { alone, isAway, mayRead } from './data-folder.ts'
import {
  copyOf,
  FORMAT_VERSION,
  type Found,
  fileIdentity,
  Hindrance,
  parseJson,
  putAside,
  readOwnFile,
  reasonOf,
  sumOf,
  type TellProblem,
  timeOf,
  type Unreadable,
  writeCopy,
  writeWhole,
} from './own-file.ts'

/** Storage for what the user entered: a file, or memory. */
export interface KeptList<Item> {
  /** The current content: another process may have written in the meantime. */
  read(): Item[]
  /**
   * Replaces the content with the result of `change`, while nobody else writes. Returns it.
   * @throws if it could not be saved; then nothing has changed
   */
  update(change: (items: Item[]) => Item[]): Item[]
}

/** For `--no-cache`: nothing outlives the process. */
export function createMemoryList<Item>(): KeptList<Item> {
  let kept: Item[] = []
  return {
    read: () => kept,
    update: (change) => {
      kept = change(kept)
      return kept
    },
  }
}

/** All that is stored about something that must not be archived again: nothing can be derived from it. */
const forgottenSchema = z.object({ salt: z.string(), hash: z.string() })

/** Recognizes forgotten things when they are seen again, and only then. In `forgotten.json` of the data folder. */
export class ForgottenSessions {
  readonly #list: KeptList<z.infer<typeof forgottenSchema>>

  constructor(folder: string, tell: TellProblem) {
    this.#list = new ListFile({
      folder,
      name: 'forgotten',
      item: forgottenSchema,
      what: 'The list of what is never archived again',
      tell,
    })
  }

  get isEmpty(): boolean {
    return this.#list.read().length === 0
  }

  has(name: string): boolean {
    return isIn(this.#list.read(), name)
  }

  /** @throws if it could not be saved; then nothing has changed */
  add(names: readonly string[]): void {
    this.#list.update((known) => {
      const fresh = [...new Set(names)].filter((name) => !isIn(known, name))
      if (fresh.length === 0) return known
      const salt = known[0]?.salt ?? randomBytes(32).toString('base64url')
      return [...known, ...fresh.map((name) => ({ salt, hash: hashOf(salt, name) }))]
    })
  }
}

function isIn(known: readonly z.infer<typeof forgottenSchema>[], name: string): boolean {
  const salts = new Set(known.map(({ salt }) => salt))
  const hashes = new Set(known.map(({ hash }) => hash))
  return [...salts].some((salt) => hashes.has(hashOf(salt, name)))
}

function hashOf(salt: string, name: string): string {
  return createHmac('sha256', salt).update(name).digest('base64url')
}

interface ListFileOptions<Item> {
  /** The data folder; created when there is something to store. */
  folder: string
  /** Also the name of the list in the file: `projects` in `projects.json`. */
  name: string
  item: z.ZodType<Item>
  /** For messages: `The names that you gave to projects`. */
  what: string
  tell: TellProblem
}

/** Enough for thousands of entries with long paths; a larger file is not ours. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** Files of earlier versions have no checksum. */
const fileSchema = z.looseObject({ version: z.literal(FORMAT_VERSION), sum: z.string().optional() })
const laterFileSchema = z.looseObject({ version: z.int().min(FORMAT_VERSION + 1) })

type Read<Item> =
  | { kind: 'whole'; items: Item[] }
  | { kind: 'absent' }
  | { kind: 'damaged'; is: string }
  | { kind: 'later' }
  | Unreadable

/**
 * A list in a JSON file of the data folder, for this user only, with a checksum; `NAME.json.copy` beside it holds what was last written. A
 * damaged file is put aside, never overwritten, and replaced by the copy; one of a later version is left alone. Each of these is reported.
 */
export class ListFile<Item> implements KeptList<Item> {
  readonly #options: ListFileOptions<Item>
  readonly #file: string
  readonly #copy: string
  readonly #hindrance: Hindrance
  /** `identity` null: it must be checked again. */
  #known: { identity: string | null; items: Item[]; isRead: boolean } = {
    identity: null,
    items: [],
    isRead: false,
  }

  constructor(options: ListFileOptions<Item>) {
    this.#options = options
    this.#file = join(options.folder, `${options.name}.json`)
    this.#copy = copyOf(this.#file)
    this.#hindrance = new Hindrance(this.#file, options.tell)
  }

  read(): Item[] {
    const isSame = () => fileIdentity(this.#file) === this.#known.identity
    return isAway(this.#options.folder) || isSame() ? this.#known.items : this.#load(false)
  }

  update(change: (items: Item[]) => Item[]): Item[] {
    return alone(this.#options.folder, () => {
      const before = this.#load(true)
      this.#hindrance.expectNone()
      const items = change(before)
      if (items === before) return before
      const text = this.#toText(items)
      writeWhole(this.#file, text)
      writeCopy(this.#file, text)
      return this.#take(fileIdentity(this.#file), items)
    })
  }

  /**
   * Always compares the content: the same identity may stand for bytes of another moment. `isAlone`: nobody else writes, so damage can be
   * repaired.
   */
  #load(isAlone: boolean): Item[] {
    if (!mayRead(this.#options.folder)) return this.#known.items
    const identity = fileIdentity(this.#file)
    const found = this.#parse(readOwnFile(this.#file, MAX_FILE_BYTES))
    const copied = found.kind === 'whole' ? null : this.#parse(readOwnFile(this.#copy, MAX_FILE_BYTES))
    const spare = copied?.kind === 'whole' ? copied.items : null
    const needsRepair = found.kind === 'damaged' || (found.kind === 'absent' && spare !== null)
    if (needsRepair && !isAlone) return this.#loadAlone(identity, spare)
    if (found.kind === 'unreadable') return this.#goOnWithout(found, spare)
    if (found.kind === 'later') {
      this.#hindrance.setLater()
      return this.#take(identity, spare ?? [])
    }
    if (found.kind === 'damaged') return this.#repair(found.is, spare)
    this.#hindrance.clear()
    if (spare !== null) return this.#restore(spare, 'was missing')
    return this.#take(identity, found.kind === 'whole' ? found.items : [])
  }

  /** Another process may have repaired it already. */
  #loadAlone(identity: string, spare: Item[] | null): Item[] {
    try {
      return alone(this.#options.folder, () => this.#load(true))
    } catch (error) {
      this.#hindrance.set(
        `${this.#options.what} could not be read, and ${this.#file} cannot be repaired: ${reasonOf(error)}.`,
      )
      return this.#take(identity, spare ?? this.#known.items)
    }
  }

  #repair(is: string, spare: Item[] | null): Item[] {
    const { what, tell } = this.#options
    let aside: string
    try {
      aside = putAside(this.#file)
    } catch (error) {
      this.#hindrance.set(
        `${what} could not be read: ${this.#file} ${is} and cannot be set aside (${reasonOf(error)}).`,
      )
      return this.#take(fileIdentity(this.#file), spare ?? [])
    }
    this.#hindrance.clear()
    if (spare !== null) return this.#restore(spare, is, ` The damaged file was saved as ${aside}.`)
    tell(
      `${what} could not be read: ${this.#file} ${is}, and there is no copy. The damaged file was saved as ${aside}.`,
      this.#file,
      'data-damaged',
    )
    return this.#take('', [])
  }

  #restore(items: Item[], why: string, more = ''): Item[] {
    const { what, tell } = this.#options
    const time = timeOf(this.#copy)
    tell(
      `${what}: ${this.#file} ${why} and was restored from its copy, written ${time}.${more}`,
      this.#file,
      'data-damaged',
    )
    try {
      writeWhole(this.#file, this.#toText(items))
    } catch {
      // The next read will use the copy.
      return this.#take(null, items)
    }
    return this.#take(fileIdentity(this.#file), items)
  }

  /** Keeps what was read before; at first that is the copy. */
  #goOnWithout(found: Unreadable, spare: Item[] | null): Item[] {
    this.#hindrance.setUnreadable(found, this.#options.what)
    // nothing signals when it becomes readable again
    return this.#take(null, this.#known.isRead ? this.#known.items : (spare ?? []))
  }

  #take(identity: string | null, items: Item[]): Item[] {
    this.#known = { identity, items, isRead: true }
    return items
  }

  #parse(found: Found): Read<Item> {
    const { name, item } = this.#options
    if (found.kind === 'misplaced') return { kind: 'damaged', is: `is ${found.is}` }
    if (found.kind !== 'file') return found
    const content = parseJson(found.bytes.toString('utf8'))
    if (laterFileSchema.safeParse(content).success) return { kind: 'later' }
    const { data } = fileSchema.safeParse(content)
    const items = z.array(item).safeParse(data?.[name]).data
    if (data === undefined || items === undefined)
      return { kind: 'damaged', is: found.bytes.length === 0 ? 'was empty' : 'was damaged' }
    if (data.sum !== undefined && data.sum !== sumOfFile(content))
      return { kind: 'damaged', is: 'was damaged or changed by another program' }
    return { kind: 'whole', items }
  }

  #toText(items: Item[]): string {
    const { name } = this.#options
    const sum = sumOf({ [name]: items })
    return `${JSON.stringify({ version: FORMAT_VERSION, sum, [name]: items }, null, 2)}\n`
  }
}

/** Covers everything that was read, including members that this version does not know. */
function sumOfFile(content: unknown): string {
  const { version: _version, sum: _sum, ...rest } = z.record(z.string(), z.unknown()).parse(content)
  return sumOf(rest)
}
