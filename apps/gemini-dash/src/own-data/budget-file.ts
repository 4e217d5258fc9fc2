import { type KeptBudget, keptBudgetSchema } from './budget-book.ts'
import type { KeptList } from './kept-list.ts'
import { openListFile } from './list-file.ts'
import type { TellDataProblem } from './own-file.ts'

/** The budgets that the user set, in `budgets.json` of the data folder. */
export function openBudgetFile(folder: string, tell: TellDataProblem): KeptList<KeptBudget> {
  return openListFile({
    folder,
    name: 'budgets',
    item: keptBudgetSchema,
    what: 'The budgets that you set',
    tell,
  })
}
