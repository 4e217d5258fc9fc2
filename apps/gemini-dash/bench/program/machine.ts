import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'

export interface Machine {
  processor: string
  threads: number
  memoryGigabytes: number
  system: string
  /** Over the last minute before the benchmarks began: a busy machine gives other figures. */
  loadAverage: number
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown processor',
    threads: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    loadAverage: loadavg()[0] ?? 0,
  }
}

export function machineLine({ processor, threads, memoryGigabytes, system, loadAverage }: Machine): string {
  return `${processor}, ${threads} threads, ${memoryGigabytes} GB; ${system}; load ${loadAverage.toFixed(1)} at the start`
}
