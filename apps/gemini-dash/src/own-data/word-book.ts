import type { KeptList } from './kept-list.ts'
import { areOfProject, type ProjectReference, type ProjectWords } from './project-words.ts'

export type WordChange = Partial<Pick<ProjectWords, 'name' | 'path' | 'foundPath'>>

/** What the user said about projects. */
export class WordBook {
  readonly #storage: KeptList<ProjectWords>
  #words: ProjectWords[]

  constructor(storage: KeptList<ProjectWords>) {
    this.#storage = storage
    this.#words = storage.read()
  }

  /** Another process may have written meanwhile. */
  reload(): void {
    this.#words = this.#storage.read()
  }

  of(project: ProjectReference): ProjectWords | null {
    return wordsOf(this.#words, project)
  }

  /** @throws if the words could not be kept; then nothing has changed */
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
