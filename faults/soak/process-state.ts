import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
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

/** What the heaps of all threads hold; the threads of `shims/thread-memory.cjs` tell it in a file each. */
export function heapBytes(folder: string): number {
  const threads = readdirSync(folder).filter((name) => !name.includes('.'))
  return sum(threads.map((name) => Number(readFileSync(join(folder, name), 'utf8'))))
}

/** Of all files. What is deleted meanwhile counts nothing. */
export function bytesBelow(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return sum(names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0))
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
