import type { ExportedAgent } from '@gemini-dash/api'
import type { LucideIcon } from 'lucide-react'
import { createContext, use } from 'react'
import type { CodeLine } from './code-line.ts'

/** What components find around them where a session is drawn as a document that runs no script. */
export interface Paper {
  /** The conversations of sub-agents that are exported inside their calls, by key. */
  agents: ReadonlyMap<string, ExportedAgent>
  /** The id of the one drawing of an icon in the document. */
  iconId: (icon: LucideIcon) => string
  /** Rejects never; null: no grammar, or one that chokes on the text. The same promise for the same text. */
  highlight: (code: string, language: string) => Promise<CodeLine[] | null>
}

export const PaperContext = createContext<Paper | null>(null)

/** null on the page. On paper there are no buttons, no links to other pages and no effects, and all of a text is there at once. */
export function usePaper(): Paper | null {
  return use(PaperContext)
}
