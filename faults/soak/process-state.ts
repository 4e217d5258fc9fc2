import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { memoryOf } from '../../apps/gemini-dash/bench/program/process-figures.ts'

/** 0 if the system does not report it (not Linux). */
export function residentBytes(pid: number): number {
  return memoryOf(pid)?.residentBytes ?? 0
}

/** 0 if the system does not report it. */
export function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** Heap size of all threads; `shims/thread-memory.cjs` writes it to a file per thread. */
export function heapBytes(folder: string): number {
  const threads = readdirSync(folder).filter((name) => !name.includes('.'))
  return sum(threads.map((name) => Number(readFileSync(join(folder, name), 'utf8'))))
}

/** Total size of all files. Files deleted meanwhile do not count. */
export function bytesBelow(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return sum(names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0))
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
