import { readdirSync } from 'node:fs'
import { memoryOf } from '../../apps/gemini-dash/bench/program/process-figures.ts'

/** 0 where the system does not tell (not Linux). */
export function residentBytes(pid: number): number {
  return memoryOf(pid)?.residentBytes ?? 0
}

/** 0 where the system does not tell. */
export function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
