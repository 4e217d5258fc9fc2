import { type View, viewSchema } from '@gemini-dash/api'
import { createMemoryList, type KeptList } from '../kept-list.ts'
import { openListFile } from '../list-file.ts'
import type { TellDataProblem } from '../own-file.ts'
import { MarkBook } from './mark-book.ts'
import { createMemoryMarkLog, openMarkFile } from './mark-log.ts'

/** What a person marked, and the addresses that they named. */
export interface OwnMarks {
  book: MarkBook
  views: KeptList<View>
}

/** `marks.jsonl` and `views.json` of the data folder; null: nothing outlives the run. */
export function openMarks(folder: string | null, tell: TellDataProblem): OwnMarks {
  if (folder === null) return { book: new MarkBook(createMemoryMarkLog()), views: createMemoryList() }
  const what = 'The views that you named'
  const views = openListFile({ folder, name: 'views', item: viewSchema, what, tell })
  // what is wrong with it is told at once, as of marks
  views.read()
  return { book: new MarkBook(openMarkFile(folder, tell)), views }
}
