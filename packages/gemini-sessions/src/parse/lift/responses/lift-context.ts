import type { Problems } from '../../problems/problems.ts'
import type { RestOfLog } from './rest-of-log.ts'

/** What the lift of one message needs to know of the whole file. */
export interface LiftContext {
  path: string
  /** All `user` texts of a sub-agent's file are the CLI's or the parent model's. */
  isSubagentFile: boolean
  rest: RestOfLog
  problems: Problems
}
