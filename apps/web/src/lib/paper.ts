import type { ExportedAgent } from '@gemini-dash/api'
import type { LucideIcon } from 'lucide-react'
import { createContext, use } from 'react'
import type { CodeLine } from './code-line.ts'

/** Context of components while a session is rendered as a static document without scripts. */
export interface Paper {
  /** Conversations of sub-agents that are exported inside their tool calls, by key. */
  agents: ReadonlyMap<string, ExportedAgent>
  /** Id of the shared drawing of an icon in the document. */
  iconId: (icon: LucideIcon) => string
  /** Never rejects; null without a grammar, or if the grammar fails on the text. Returns the same promise for the same text. */
  highlight: (code: string, language: string) => Promise<CodeLine[] | null>
}

export const PaperContext = createContext<Paper | null>(null)

/** null on the live page. On paper there are no buttons, links to other pages or effects, and all text is available at once. */
export function usePaper(): Paper | null {
  return use(PaperContext)
}
