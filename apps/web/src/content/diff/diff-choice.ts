import { keptChoice } from '../../lib/browser/kept-choice.ts'

export type DiffLayout = 'unified' | 'split'

/** How the reader wants to see diffs. */
export const diffChoice = keptChoice<DiffLayout>(
  'gemini-dash.diff',
  (kept) => (kept === 'split' ? 'split' : 'unified'),
  (layout) => layout,
)
