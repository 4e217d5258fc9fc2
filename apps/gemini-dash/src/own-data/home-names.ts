import { z } from 'zod'
import type { KeptList } from './kept-list.ts'
import { openListFile } from './list-file.ts'
import type { TellDataProblem } from './own-file.ts'

const homeNameSchema = z.object({ path: z.string(), label: z.string() })
type HomeName = z.infer<typeof homeNameSchema>

/** What the user calls their homes, by path. */
export class HomeNames {
  readonly #list: KeptList<HomeName>
  #made: { of: readonly HomeName[]; names: ReadonlyMap<string, string> } = { of: [], names: new Map() }

  constructor(list: KeptList<HomeName>) {
    this.#list = list
  }

  /** The same object for as long as nothing changed. */
  all(): ReadonlyMap<string, string> {
    const of = this.#list.read()
    if (of !== this.#made.of) this.#made = { of, names: new Map(of.map(({ path, label }) => [path, label])) }
    return this.#made.names
  }

  /** `label` null takes it back. @throws if it could not be kept; then nothing has changed */
  change(changes: readonly { path: string; label: string | null }[]): void {
    const changed = new Set(changes.map(({ path }) => path))
    const said = changes.flatMap(({ path, label }) => (label === null ? [] : [{ path, label }]))
    this.#list.update((known) => [...known.filter(({ path }) => !changed.has(path)), ...said])
  }
}

/** `homes.json` of the data folder. */
export function openHomeNameFile(folder: string, tell: TellDataProblem): KeptList<HomeName> {
  return openListFile({
    folder,
    name: 'homes',
    item: homeNameSchema,
    what: 'The labels that you gave to homes',
    tell,
  })
}
