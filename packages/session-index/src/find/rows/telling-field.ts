import type { SearchField } from '@gemini-dash/api'
import type { IndexTree } from '../../query/tree/query-tree.ts'

/** What a condition is about, so that a message which is found by it alone is shown by that; null: by what it says. */
export function tellingField(filter: IndexTree): SearchField | null {
  switch (filter.kind) {
    case 'tools':
    case 'status':
    case 'file':
    case 'one-file':
      return 'tool-args'
    case 'has':
      return filter.what === 'thoughts' ? 'thought' : 'tool-args'
    case 'is':
      return filter.what === 'error' ? 'tool-output' : null
    default:
      return null
  }
}
