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

export type KeepTaskResponse = { id: number } & ({ status: KeepStatus } | { failure: string })
