import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  LIST_PRICES,
  type PriceOverrides,
  type ReadPrices,
  readPriceOverrides,
} from '@gemini-dash/pricing/overrides'
import { z } from 'zod'
import { alone, isAway, mayRead } from './data-folder.ts'
import { type KeptList, ListFile } from './kept-list.ts'
import {
  copyOf,
  describeUnreadable,
  type Found,
  fileIdentity,
  readOwnFile,
  type TellProblem,
  writeCopy,
  writeWhole,
} from './own-file.ts'

const FILE_NAME = 'prices.json'
/** Enough for the prices of thousands of models; a larger file is not ours. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
const NO_FILE: ReadPrices = { prices: LIST_PRICES, problem: null }

/** Why the file is not used, as reported. */
interface Problem {
  code: Parameters<TellProblem>[2]
  about: string
  text: string
}

/** Prices that the user wrote into the data folder, or chose on the settings page. */
export interface PriceTable {
  /** As currently in the file. The same object as long as nothing changes. */
  current(): PriceOverrides
  /** Why the file is not used; null if it is used, or does not exist. */
  problem(): string | null
  /**
   * Replaces the prices with the result of `change`, while nobody else writes.
   * @throws if they could not be saved, or if the file is unreadable: then nothing has changed
   */
  update(change: (prices: PriceOverrides) => PriceOverrides): void
  /** Path of the file; null: prices are not stored. */
  file: string | null
}

/**
 * Reads `prices.json` again whenever it changes. It may be edited by hand, so it has no checksum: differences from `prices.json.copy`,
 * which contains the last prices used, are reported, and used if valid. The copy's previous content is saved as `prices.json.before`. While
 * the file is invalid, the copy is used.
 */
export function openPriceFile(folder: string, tell: TellProblem, { isReadOnly = false } = {}): PriceTable {
  const file = join(folder, FILE_NAME)
  const copy = copyOf(file)
  let lastRead: ReadPrices & { identity: string | null } = { identity: null, ...NO_FILE }
  let reported: Problem | null = null

  function read(): ReadPrices {
    if (isAway(folder)) return lastRead
    const identity = fileIdentity(file)
    if (identity === lastRead.identity || !mayRead(folder)) return lastRead
    const found = readOwnFile(file, MAX_FILE_BYTES)
    const usable = found.kind === 'file' ? readPriceOverrides(found.bytes.toString('utf8')) : NO_FILE
    const problem = problemOf(found, usable)
    if (problem === null) return use(identity, found, usable)
    const spare = spareFor(readOwnFile(copy, MAX_FILE_BYTES))
    if (found.kind === 'unreadable')
      // nothing signals when it becomes readable again
      return take(null, spare ?? lastRead.prices, {
        code: 'data-not-kept',
        about: found.about,
        text: describeUnreadable(found, `Your prices in ${file}`),
      })
    const text = `Your prices in ${file} are not used: ${problem}. ${spare === null ? 'List prices are' : `Your earlier prices (${copy}) are`} used until the file is repaired.`
    return take(identity, spare ?? LIST_PRICES, { code: 'data-damaged', about: file, text })
  }

  function use(identity: string, found: Found, { prices }: ReadPrices): ReadPrices {
    const copied = readOwnFile(copy, MAX_FILE_BYTES)
    const before = spareFor(copied) === null ? null : bytesOf(copied)
    const now = bytesOf(found)
    const isNews =
      before !== null && !isEqual(before, now) && (now === null || !isEqual(replacedBytes(), now))
    take(identity, prices, null)
    if (isEqual(before, now)) return lastRead
    if (!isReadOnly) noteCopy(now, isNews ? before : null)
    if (isNews)
      tell(
        now === null
          ? `${file} was deleted, so list prices are used. Its content was saved as ${replaced()}.`
          : `${file} was changed, by you or by damage, and is used as it is now. Its earlier content was saved as ${replaced()}.`,
        file,
        'data-damaged',
      )
    return lastRead
  }

  /** Another process may have recorded it already; if it cannot be written, the next start reports it again. */
  function noteCopy(now: Buffer | null, before: Buffer | null): void {
    try {
      alone(folder, () => {
        if (before !== null) writeWhole(replaced(), before)
        if (now === null) rmSync(copy, { force: true, recursive: true })
        else writeCopy(file, now)
      })
    } catch {
      // reported without it
    }
  }

  function take(identity: string | null, prices: PriceOverrides, problem: Problem | null): ReadPrices {
    reported = tellNews(tell, reported, problem)
    lastRead = { identity, prices, problem: problem?.text ?? null }
    return lastRead
  }

  const replaced = () => `${file}.before`
  const replacedBytes = () => bytesOf(readOwnFile(replaced(), MAX_FILE_BYTES))

  return {
    current: () => read().prices,
    problem: () => read().problem,
    update: (change) => {
      // reports edits by hand before they are overwritten
      read()
      alone(folder, () => {
        const found = readOwnFile(file, MAX_FILE_BYTES)
        const said = found.kind === 'file' ? readPriceOverrides(found.bytes.toString('utf8')) : NO_FILE
        const problem = problemOf(found, said)
        if (problem !== null)
          throw new Error(`${file} cannot be used (${problem}): repair it, or move it away`)
        const text = `${JSON.stringify(change(said.prices), null, 2)}\n`
        const wrong = readPriceOverrides(text).problem
        if (wrong !== null) throw new Error(wrong)
        // In this order, so that an interrupted update is not taken for an edit by hand.
        if (found.kind === 'file') {
          writeWhole(replaced(), found.bytes)
          writeCopy(file, text)
        }
        writeWhole(file, text)
        if (found.kind !== 'file') writeCopy(file, text)
      })
    },
    file,
  }
}

/** Also reports that a problem is over. Returns the problem reported now. */
function tellNews(tell: TellProblem, before: Problem | null, now: Problem | null): Problem | null {
  if (before !== null && (before.about !== now?.about || before.code !== now.code))
    tell(null, before.about, before.code)
  if (now !== null && now.text !== before?.text) tell(now.text, now.about, now.code)
  return now
}

function problemOf(found: Found, { problem }: ReadPrices): string | null {
  if (found.kind === 'unreadable') return found.reason
  return found.kind === 'misplaced' ? `it is ${found.is}` : problem
}

function spareFor(found: Found): PriceOverrides | null {
  if (found.kind !== 'file') return null
  const { prices, problem } = readPriceOverrides(found.bytes.toString('utf8'))
  return problem === null ? prices : null
}

function bytesOf(found: Found): Buffer | null {
  return found.kind === 'file' ? found.bytes : null
}

function isEqual(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other)
}

/** For homes without a data folder. */
export const LIST_PRICE_TABLE: PriceTable = {
  current: () => LIST_PRICES,
  problem: () => null,
  update: () => {
    throw new Error('there is no data folder')
  },
  file: null,
}

/** How a project was known at that time: its key, the hashes that the CLI wrote for it, its folders under `tmp`. */
const projectReferenceSchema = z.looseObject({
  key: z.string(),
  hashes: z.array(z.string()),
  folders: z.array(z.string()),
})
type ProjectReference = Pick<ProjectWords, 'key' | 'hashes' | 'folders'>

/** What the user entered for a project, and what was found for it on this computer. */
const projectWordsSchema = projectReferenceSchema.extend({
  name: z.string().nullable(),
  path: z.string().nullable(),
  /** Found by a folder search, and confirmed by a hash. */
  foundPath: z.string().nullable(),
})
type ProjectWords = z.infer<typeof projectWordsSchema>

/** A key changes when a Windows project moves from a hash folder to a slug; a hash or a folder still matches then. */
export function areOfProject(words: ProjectReference, project: ProjectReference): boolean {
  return (
    words.key === project.key ||
    words.hashes.some((hash) => project.hashes.includes(hash)) ||
    words.folders.some((folder) => project.folders.includes(folder))
  )
}

/** The budget per month of one project, or of all of them together. */
const keptBudgetSchema = z.looseObject({
  /** null: all projects. */
  project: projectReferenceSchema.nullable(),
  usdPerMonth: z.number().positive(),
})
export type KeptBudget = z.infer<typeof keptBudgetSchema>

/** The budgets that the user set. */
export class BudgetStore {
  readonly #list: KeptList<KeptBudget>

  constructor(list: KeptList<KeptBudget>) {
    this.#list = list
  }

  all(): readonly KeptBudget[] {
    return this.#list.read()
  }

  /** `usdPerMonth` null removes the budget. @throws if it could not be saved; then nothing has changed */
  set(project: ProjectReference | null, usdPerMonth: number | null): void {
    this.#list.update((known) => {
      const others = known.filter((budget) => !isSameScope(budget.project, project))
      return usdPerMonth === null ? others : [...others, { project: project && asKept(project), usdPerMonth }]
    })
  }
}

function asKept({ key, hashes, folders }: ProjectReference): ProjectReference {
  return { key, hashes, folders }
}

function isSameScope(one: ProjectReference | null, other: ProjectReference | null): boolean {
  return one === null || other === null ? one === other : areOfProject(one, other)
}

/** `budgets.json` of the data folder. */
export function openBudgetFile(folder: string, tell: TellProblem): KeptList<KeptBudget> {
  return new ListFile({
    folder,
    name: 'budgets',
    item: keptBudgetSchema,
    what: 'Your budgets',
    tell,
  })
}

export type WordChange = Partial<Pick<ProjectWords, 'name' | 'path' | 'foundPath'>>

/** What the user entered for projects. */
export class WordList {
  readonly #storage: KeptList<ProjectWords>
  #words: ProjectWords[]

  constructor(storage: KeptList<ProjectWords>) {
    this.#storage = storage
    this.#words = storage.read()
  }

  /** Another process may have written in the meantime. */
  reload(): void {
    this.#words = this.#storage.read()
  }

  of(project: ProjectReference): ProjectWords | null {
    return wordsOf(this.#words, project)
  }

  /** @throws if it could not be saved; then nothing has changed */
  change({ key, hashes, folders }: ProjectReference, change: WordChange): void {
    this.#words = this.#storage.update((known) => {
      const earlier = wordsOf(known, { key, hashes, folders })
      const said = { name: null, path: null, foundPath: null, ...earlier, ...change, key, hashes, folders }
      const others = known.filter((words) => words !== earlier)
      const isEmpty = said.name === null && said.path === null && said.foundPath === null
      return isEmpty ? others : [...others, said]
    })
  }
}

function wordsOf(all: readonly ProjectWords[], project: ProjectReference): ProjectWords | null {
  return (
    all.find(({ key }) => key === project.key) ?? all.find((words) => areOfProject(words, project)) ?? null
  )
}

/** `projects.json` of the data folder. */
export function openWordFile(folder: string, tell: TellProblem): KeptList<ProjectWords> {
  return new ListFile({
    folder,
    name: 'projects',
    item: projectWordsSchema,
    what: 'Your project names',
    tell,
  })
}

const homeNameSchema = z.object({ path: z.string(), label: z.string() })
type HomeName = z.infer<typeof homeNameSchema>

/** The user's names for their homes, by path. */
export class HomeNames {
  readonly #list: KeptList<HomeName>
  #made: { of: readonly HomeName[]; names: ReadonlyMap<string, string> } = { of: [], names: new Map() }

  constructor(list: KeptList<HomeName>) {
    this.#list = list
  }

  /** The same object as long as nothing changes. */
  all(): ReadonlyMap<string, string> {
    const of = this.#list.read()
    if (of !== this.#made.of) this.#made = { of, names: new Map(of.map(({ path, label }) => [path, label])) }
    return this.#made.names
  }

  /** `label` null removes the name. @throws if it could not be saved; then nothing has changed */
  change(changes: readonly { path: string; label: string | null }[]): void {
    const changed = new Set(changes.map(({ path }) => path))
    const said = changes.flatMap(({ path, label }) => (label === null ? [] : [{ path, label }]))
    this.#list.update((known) => [...known.filter(({ path }) => !changed.has(path)), ...said])
  }
}

/** `homes.json` of the data folder. */
export function openHomeNameFile(folder: string, tell: TellProblem): KeptList<HomeName> {
  return new ListFile({
    folder,
    name: 'homes',
    item: homeNameSchema,
    what: 'Your labels for Gemini folders',
    tell,
  })
}
