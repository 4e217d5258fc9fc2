import type { Problems } from '../problems.ts'
import type { Responses } from './join-responses.ts'

/** What the lift of one message needs to know of the whole file. */
export interface LiftContext {
  path: string
  /** All `user` texts of a sub-agent's file are the CLI's or the parent model's. */
  isSubagentFile: boolean
  responses: Responses
  repeatedDescriptions: ReadonlySet<string>
  problems: Problems
}
