import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import type { GeminiHome } from 'gemini-sessions/node'
import type { ForgetRequest } from '../forget-kept.ts'

export interface KeepWorkerData {
  dataFolder: string
  homes: readonly GeminiHome[]
}

export type KeepTaskRequest = { id: number } & (
  | { task: 'status' | 'run' }
  | { task: 'change'; change: KeepChange }
  /** What is missing in this home is brought out of its archive. */
  | { task: 'bring-out'; homePath: string }
  | { task: 'forget'; request: ForgetRequest }
)

/** The end of a task, or how far a look is that goes on. `hasNews`: something was brought out, or came back. */
export type KeepTaskResponse =
  | { id: number; status: KeepStatus | null; hasNews: boolean }
  | { id: number; erased: number }
  | { id: number; failure: string }
  | { running: NonNullable<KeepStatus['running']> }
