import { arch, cpus, loadavg, platform, release } from 'node:os'
import { MEMORY, openDatabase } from '../../../packages/session-index/src/driver/open-database.ts'

export interface Machine {
  node: string
  /** What the index is kept with on this Node. */
  driver: string
  processor: string
  threads: number
  system: string
  /** Over the last minute, when the benchmarks began: a busy machine gives other figures. */
  loadAverage: number
}

export function describeMachine(): Machine {
  const database = openDatabase(MEMORY)
  const { driver } = database
  database.close()
  return {
    node: process.versions.node,
    driver,
    processor: cpus()[0]?.model ?? 'unknown processor',
    threads: cpus().length,
    system: `${platform()} ${release()} ${arch()}`,
    loadAverage: loadavg()[0] ?? 0,
  }
}
