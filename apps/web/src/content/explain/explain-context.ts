import { createContext } from 'react'
import type { SessionCriteria } from '../../api/sessions.ts'

/** A figure of a sum or of a call, by the name under which it is recorded; `cost` is made of all of them. */
export type FigureName = 'calls' | 'input' | 'cached' | 'output' | 'thoughts' | 'tool' | 'total' | 'cost'

/** Which part of the usage report a figure is the sum of. */
export interface UsageScope {
  from?: string | undefined
  project?: string | undefined
  model?: string | undefined
}

/** Which figure is to be explained: of a session or a turn, of one call, of a list or a day of it, or of the usage report. `sessionRef`: of another session than the page’s. */
export type Explained = { figure?: FigureName } & (
  | { kind: 'session'; sessionRef?: string }
  | { kind: 'turn'; number: number }
  | { kind: 'call'; messageKey: string; sessionRef?: string }
  | { kind: 'day'; day: string; filter: SessionCriteria }
  | { kind: 'list'; name: string; filter: SessionCriteria }
  | { kind: 'usage'; name: string; scope: UsageScope }
)

/** Says how a figure came about; null where nobody can. */
export const ExplainContext = createContext<((figure: Explained) => void) | null>(null)
