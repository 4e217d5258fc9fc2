import { z } from 'zod'
import type { KeptList } from './kept-list.ts'
import { areOfProject, type ProjectReference, projectReferenceSchema } from './project-words.ts'

/** What a month may cost: one project, or all of them together. */
export const keptBudgetSchema = z.looseObject({
  /** null: all projects. */
  project: projectReferenceSchema.nullable(),
  usdPerMonth: z.number().positive(),
})
export type KeptBudget = z.infer<typeof keptBudgetSchema>

/** The budgets that the user set. */
export class BudgetBook {
  readonly #list: KeptList<KeptBudget>

  constructor(list: KeptList<KeptBudget>) {
    this.#list = list
  }

  all(): readonly KeptBudget[] {
    return this.#list.read()
  }

  /** `usdPerMonth` null takes it back. @throws if it could not be kept; then nothing has changed */
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
