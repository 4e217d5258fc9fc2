import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { HomeManifest } from '../../../../fixtures/large/home-manifest.ts'
import type { BenchOptions } from './bench-options.ts'
import { type RunningServer, startServer } from './running-server.ts'
import type { Runtime } from './runtime.ts'

/** What every benchmark works with. */
export interface Workbench {
  options: BenchOptions
  program: string
  /** What runs the program. */
  runtime: Runtime
  home: string
  manifest: HomeManifest
  /** Measured for its size only, after another home. */
  isFurther: boolean
  /** For everything that is written; removed at the end. */
  folder: string
  /** Where the index of `home` is kept from one start to the next. */
  keptIndex: string
}

interface ServerPlace {
  home?: string
  folder?: string
  isLoopWatched?: boolean
}

export function newFolder(bench: Workbench, name: string): string {
  return mkdtempSync(join(bench.folder, `${name}-`))
}

/** Runs the program for as long as the work takes. */
export async function withServer<Result>(
  bench: Workbench,
  place: ServerPlace,
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  const { program, runtime, home, keptIndex } = bench
  const { executable } = runtime
  const server = await startServer({ executable, program, home, folder: keptIndex, ...place })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** The same, once everything is indexed. */
export function withReadyServer<Result>(
  bench: Workbench,
  place: ServerPlace,
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  return withServer(bench, place, async (server) => {
    await server.whenReady()
    return work(server)
  })
}
