import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import type { GeminiHome } from 'gemini-sessions/node'

export interface KeepWorkerData {
  dataFolder: string
  homes: readonly GeminiHome[]
}

export type KeepTaskRequest = { id: number } & (
  | { task: 'status' | 'run' }
  | { task: 'change'; change: KeepChange }
)

/** The end of a task, or how far a look is that goes on. */
export type KeepTaskResponse =
  | { id: number; status: KeepStatus }
  | { id: number; failure: string }
  | { running: NonNullable<KeepStatus['running']> }
